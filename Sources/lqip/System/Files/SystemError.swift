/// A refusal of the operating system, by its `errno` number.
package struct SystemError: Error, Hashable, Sendable {
  package static let invalidArgument = SystemError(number: EINVAL)
  package static let nameTooLong = SystemError(number: ENAMETOOLONG)
  package static let brokenPipe = SystemError(number: EPIPE)
  package static let wouldBlock = SystemError(number: EAGAIN)
  package static let notFound = SystemError(number: ENOENT)
  package static let inputOutput = SystemError(number: EIO)
  package static let isDirectory = SystemError(number: EISDIR)

  package let number: Int32

  package init(number: Int32) {
    self.number = number
  }

  /// What the last failed call of the C library left in `errno`.
  package static var last: SystemError {
    SystemError(number: errno)
  }

  /// Repeats a call that a signal interrupted, and turns its -1 into an error.
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
  /// The system's own words, such as "No space left on device".
  package var description: String {
    guard let reason = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: reason)
  }
}
