#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A refusal of the operating system, by its `errno` number.
struct SystemError: Error, Hashable, Sendable {
  static let invalidArgument = SystemError(number: EINVAL)
  static let nameTooLong = SystemError(number: ENAMETOOLONG)
  static let brokenPipe = SystemError(number: EPIPE)
  static let wouldBlock = SystemError(number: EAGAIN)
  static let notFound = SystemError(number: ENOENT)
  static let isDirectory = SystemError(number: EISDIR)

  let number: Int32

  init(number: Int32) {
    self.number = number
  }

  /// What the last failed call of the C library left in `errno`.
  static var last: SystemError {
    SystemError(number: errno)
  }

  /// Repeats a call that a signal interrupted, and turns its -1 into an error.
  static func check<Result: SignedInteger>(
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
  /// The system's own words, such as "No space left on device".
  var description: String {
    guard let reason = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: reason)
  }
}
