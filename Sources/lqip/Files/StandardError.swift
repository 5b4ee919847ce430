#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where everything goes that is not a result.
enum StandardError {
  static var isTerminal: Bool {
    isatty(STDERR_FILENO) == 1
  }

  /// Prints a line after the program's name.
  static func print(_ message: String) {
    // A complaint that cannot be delivered has nowhere else to go.
    try? FileDescriptor.writeAll(Array("lqip: \(message)\n".utf8), to: STDERR_FILENO)
  }
}
