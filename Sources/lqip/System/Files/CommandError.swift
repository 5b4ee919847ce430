/// Why a command stopped before its end.
package enum CommandError: Error, Hashable, Sendable {
  /// The command line asks for something that cannot be done; the message is for people.
  case usage(String)
  /// Something went wrong; the message is for people.
  case failed(String)
  /// What was to be read could not be listed whole.
  case input(String)
  /// The output was not written.
  case output(String)
  /// The reader of the results has closed its end, which needs no message.
  case outputClosed

  /// The system's refusal to write an output.
  package static func writing(_ name: String, _ error: SystemError) -> CommandError {
    error == .brokenPipe ? .outputClosed : .output("\(name): cannot write: \(error)")
  }

  /// The system's refusal of a file beside an output, which is to take the place of what is there.
  package static func writing(
    _ name: String, over before: FileStatus?, _ error: SystemError
  ) -> CommandError {
    if error == .notFound { return .output("\(name): cannot write: the directory does not exist") }
    guard before != nil, [EACCES, EPERM, EROFS].contains(error.number) else {
      return .writing(name, error)
    }
    return .output(
      "\(name): cannot write: cannot create a temporary file in its directory: \(error)")
  }
}
