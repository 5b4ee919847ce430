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
