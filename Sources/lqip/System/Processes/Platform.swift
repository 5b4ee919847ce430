// Exports the platform's C library to all modules of the program.
#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Darwin
#endif

/// An error of the operating system, as an `errno` value.
package struct SystemError: Error, Hashable, Sendable {
  package static let invalidArgument = SystemError(number: EINVAL)
  package static let nameTooLong = SystemError(number: ENAMETOOLONG)
  package static let brokenPipe = SystemError(number: EPIPE)
  package static let wouldBlock = SystemError(number: EAGAIN)
  package static let notFound = SystemError(number: ENOENT)
  /// Whether the system reports that a file, or its server's handle of it, no longer exists.
  package var isGone: Bool { [ENOENT, ESTALE].contains(number) }
  package static let accessDenied = SystemError(number: EACCES)

  package let number: Int32

  package init(number: Int32) {
    self.number = number
  }

  /// The error of the last failed C call, from `errno`.
  package static var last: SystemError {
    SystemError(number: errno)
  }

  /// Performs a system call, retries it after `EINTR`, and throws an error if it returns -1.
  @discardableResult
  package static func check<Result: SignedInteger>(
    _ call: () -> Result
  ) throws(SystemError) -> Result {
    while true {
      let result = call()
      guard result == -1 else { return result }
      guard errno == EINTR else { throw .last }
    }
  }
}

extension SystemError: CustomStringConvertible {
  /// The system's error message, such as "No space left on device".
  package var description: String {
    guard let reason = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: reason)
  }
}

/// The environment variables of this process.
package enum Environment {
  /// Returns the value of a variable, or `nil` if it is not set.
  package static func value(_ name: String) -> String? {
    // The program never changes its environment, so any thread can read it safely.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
