/// Reads what comes on standard input.
package enum StandardInput {
  /// Reads up to the end, or as many bytes as there may be.
  ///
  /// - Parameters:
  ///   - maximum: How many there may be.
  ///   - stall: How long the next of them may take.
  ///   - wall: How long all of them may take.
  /// - Returns: The bytes; nil if they took longer.
  /// - Throws: The system's error.
  package static func bytes(
    upTo maximum: Int, stall: Duration, wall: Duration
  ) throws(SystemError) -> [UInt8]? {
    let end = ContinuousClock.now + wall
    var bytes: [UInt8] = []
    while bytes.count < maximum {
      let deadline = min(end, .now + stall)
      guard try FileDescriptor.waitForInput(STDIN_FILENO, until: deadline) else { return nil }
      let size = min(1 << 16, maximum - bytes.count)
      let chunk = try FileDescriptor.readNext(STDIN_FILENO, upTo: size)
      guard !chunk.isEmpty else { break }
      bytes += chunk
    }
    return bytes
  }
}

/// Where everything goes that is not a result.
package enum StandardError {
  private static let status = Monitor(StatusLine())
  private static let outlet = Monitor<(@Sendable ([UInt8]) -> Void)?>(nil)

  /// Hands what is printed from now on to a function that does not wait for the reader.
  package static func redirect(to body: @escaping @Sendable (_ line: [UInt8]) -> Void) {
    outlet.withLock { $0 = body }
  }

  /// Prints a line after the program's name.
  package static func print(_ message: String) {
    if let outlet = outlet.withLock({ $0 }) { return outlet(Array("lqip: \(message)".utf8)) }
    status.withLock { write($0.print("lqip: \(message)")) }
  }

  /// Shows a line of a terminal that stays below all others, until the next takes its place.
  package static func show(_ text: String) {
    status.withLock { write($0.show(text)) }
  }

  private static func write(_ text: String) {
    // A complaint that cannot be delivered has nowhere else to go.
    try? FileDescriptor.writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

/// A line of a terminal that stays below all that is printed, and tells what is going on.
///
/// It knows what is on the screen, and what to send so that nothing is left of it.
package struct StatusLine: Sendable {
  /// Erases the rest of the line (ECMA-48, EL).
  private static let erase = "\u{1B}[K"

  private var text = ""

  /// What to send to show another text in place of the last; an empty one takes it away.
  package mutating func show(_ text: String) -> String {
    guard text != self.text else { return "" }
    self.text = text
    return "\r\(text)\(Self.erase)"
  }

  /// What to send to print a line above.
  package func print(_ line: String) -> String {
    text.isEmpty ? "\(line)\n" : "\r\(Self.erase)\(line)\n\(text)"
  }
}

/// What the terminal behind standard error or output can do.
package struct Terminal: Hashable, Sendable {
  /// Whether what was written can be written over.
  package let canErase: Bool
  package let hasColor: Bool

  /// Reads what the environment says.
  ///
  /// - Parameters:
  ///   - type: The value of `TERM`.
  ///   - noColor: The value of `NO_COLOR`, by which users ask for none (no-color.org).
  package init(type: String?, noColor: String?) {
    canErase = !["", "dumb"].contains(type ?? "")
    hasColor = canErase && noColor ?? "" == ""
  }

  /// The terminal of this process, if it has one behind standard error.
  package static var current: Terminal? { behind(STDERR_FILENO) }

  /// The terminal of this process, if its results go there.
  package static var ofStandardOutput: Terminal? { behind(STDOUT_FILENO) }

  private static func behind(_ descriptor: Int32) -> Terminal? {
    guard isatty(descriptor) == 1 else { return nil }
    return Terminal(type: Environment.value("TERM"), noColor: Environment.value("NO_COLOR"))
  }

  /// The number of columns, which changes with the window; 80 if the system does not know.
  package static var width: Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }
}
