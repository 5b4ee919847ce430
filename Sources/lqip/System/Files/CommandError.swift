/// An error that ends a command, with a message for the user.
package enum CommandError: Error, Hashable, Sendable {
  /// The command line is invalid.
  case usage(String)
  /// A failure that no other case describes.
  case failed(String)
  /// The input could not be read completely, or is invalid.
  case input(String)
  /// The output could not be written.
  case output(String)
  /// The reader of the output has closed the pipe; no message is needed.
  case outputClosed

  /// Returns the error for a failure to write an output.
  package static func writing(_ name: String, _ error: SystemError) -> CommandError {
    error == .brokenPipe ? .outputClosed : .output("\(name): cannot write: \(error)")
  }

  /// Returns the error for a failure to create the temporary file next to an output.
  ///
  /// If the output exists, its status is `before`. The user may then be allowed to write to the output but not to
  /// create the temporary file, so the message for a permission error mentions that file.
  package static func writing(
    _ name: String, over before: FileStatus?, _ error: SystemError
  ) -> CommandError {
    if error == .notFound { return .output("\(name): cannot write: the directory does not exist") }
    guard before != nil, [EACCES, EPERM, EROFS].contains(error.number) else {
      return .writing(name, error)
    }
    return .output(
      "\(name): cannot write: failed to create a temporary file in the same directory: \(error)")
  }
}
