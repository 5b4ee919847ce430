internal import LqipFiles

/// How a batch tells how far it is.
enum ProgressStyle: Hashable, Sendable {
  /// A line of a terminal, drawn again and again.
  case line(inColor: Bool)
  /// A line of text now and then.
  case log(every: Duration)
  case silent

  /// Picks what suits.
  ///
  /// - Parameters:
  ///   - mode: What the user wants.
  ///   - interval: The time from one line of text to the next.
  ///   - terminal: The terminal behind standard error, if there is one.
  ///   - sharesTerminal: Whether results go to a terminal too, where they would run into the line.
  init(
    _ mode: ProgressMode, every interval: Duration = .seconds(5), on terminal: Terminal?,
    sharesTerminal: Bool
  ) {
    if mode == .never {
      self = .silent
    } else if let terminal, terminal.canErase, !sharesTerminal {
      self = .line(inColor: terminal.hasColor)
    } else {
      self = .log(every: interval)
    }
  }

  /// The least time from one report to the next; nil for none at all.
  var interval: Duration? {
    switch self {
    case .line: .milliseconds(100)
    case .log(let interval): interval
    case .silent: nil
    }
  }

  /// Puts a report where people see it; nil takes the last one away if that can be done.
  func show(_ line: ProgressLine?) {
    switch self {
    case .line(let inColor):
      StandardError.show(line?.text(width: Terminal.width, inColor: inColor) ?? "")
    case .log:
      if let line { StandardError.print("\(line)") }
    case .silent: break
    }
  }
}
