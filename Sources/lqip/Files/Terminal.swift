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
