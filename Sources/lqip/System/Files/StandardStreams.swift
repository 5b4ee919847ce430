/// Standard input.
package enum StandardInput {
  /// Reads standard input to its end, or up to `maximum` bytes; returns `nil` if the next bytes take longer than
  /// `stall`, or all bytes take longer than `wall`.
  package static func bytes(
    upTo maximum: Int, stall: Duration, wall: Duration
  ) throws(SystemError) -> [UInt8]? {
    let end = MonotonicTime.now + wall
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

/// Standard error, for messages and progress.
package enum StandardError {
  private static let status = Monitor(StatusLine())
  private static let redirection = Monitor<(@Sendable ([UInt8]) -> Void)?>(nil)

  /// Sends all later messages to a function instead of standard error; the function must not block.
  package static func redirect(to body: @escaping @Sendable (_ line: [UInt8]) -> Void) {
    redirection.withLock { $0 = body }
  }

  /// Prints a message on a line that begins with the program's name.
  package static func print(_ message: String) {
    if let redirection = redirection.withLock({ $0 }) {
      return redirection(Array("lqip: \(message)".utf8))
    }
    status.withLock { write($0.print("lqip: \(message)")) }
  }

  /// Shows or replaces the status line of the terminal.
  package static func show(_ text: String) {
    status.withLock { write($0.show(text)) }
  }

  private static func write(_ text: String) {
    // A failed write to standard error cannot be reported.
    try? FileDescriptor.writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

/// The last line of a terminal, which shows progress below the printed lines.
///
/// The methods return the text to send to the terminal.
package struct StatusLine: Sendable {
  /// The control sequence that erases the rest of the line (ECMA-48, EL).
  private static let erase = "\u{1B}[K"

  private var text = ""

  /// Returns the text that replaces the status line with `text`; an empty string removes the line.
  package mutating func show(_ text: String) -> String {
    guard text != self.text else { return "" }
    self.text = text
    return "\r\(text)\(Self.erase)"
  }

  /// Returns the text that prints a line above the status line.
  package func print(_ line: String) -> String {
    text.isEmpty ? "\(line)\n" : "\r\(Self.erase)\(line)\n\(text)"
  }
}

/// The capabilities of a terminal.
package struct Terminal: Hashable, Sendable {
  /// Whether the terminal supports erasing a line.
  package let canErase: Bool
  package let hasColor: Bool

  /// Derives the capabilities from `TERM` and `NO_COLOR`, which disables color unless it is empty (no-color.org).
  package init(type: String?, noColor: String?) {
    canErase = !["", "dumb"].contains(type ?? "")
    hasColor = canErase && noColor ?? "" == ""
  }

  /// The terminal at standard error; `nil` if standard error is redirected.
  package static var current: Terminal? { attached(to: STDERR_FILENO) }

  /// The terminal at standard output; `nil` if standard output is redirected.
  package static var ofStandardOutput: Terminal? { attached(to: STDOUT_FILENO) }

  private static func attached(to descriptor: Int32) -> Terminal? {
    guard isatty(descriptor) == 1 else { return nil }
    return Terminal(type: Environment.value("TERM"), noColor: Environment.value("NO_COLOR"))
  }

  /// Returns the current width of the terminal at a descriptor in columns; 80 if unknown.
  package static func width(of descriptor: Int32) -> Int {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }
}
