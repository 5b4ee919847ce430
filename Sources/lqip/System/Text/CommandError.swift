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
  /// A user who may write to an existing output may not be allowed to create the temporary file. The message for a
  /// permission error then mentions that file. `before` is the status of the existing output, if any.
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

  /// Returns the result of `body`; converts its error into one that ends the command.
  package static func catching<Result: ~Copyable>(
    _ convert: (any Error) -> CommandError, _ body: () throws -> Result
  ) throws(CommandError) -> Result {
    do {
      return try body()
    } catch {
      throw convert(error)
    }
  }
}
