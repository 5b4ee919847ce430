package import LqipSystem

/// The exit statuses of the program.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// Some images failed, or an error occurred that no other status describes.
  case failure = 1
  /// The command line is invalid.
  case usage = 2
  /// The output could not be written, or is incomplete.
  case output = 3
  /// The input could not be listed completely.
  case input = 4
  /// SIGHUP ended the program early.
  case hungUp = 129
  /// SIGINT ended the program early.
  case interrupted = 130
  /// The reader of the output has closed the pipe; the status is the same as after SIGPIPE.
  case outputClosed = 141
  /// SIGTERM ended the program early.
  case terminated = 143

  /// Creates the exit status that shells report for SIGHUP, SIGINT or SIGTERM.
  package init(signal: Int32) {
    switch signal {
    case SIGINT: self = .interrupted
    case SIGHUP: self = .hungUp
    default: self = .terminated
    }
  }
}

extension CommandError {
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
