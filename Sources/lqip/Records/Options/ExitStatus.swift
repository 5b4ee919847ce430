import LqipSystem

/// The exit codes of the program.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// Some images failed.
  case failure = 1
  /// The command line is invalid.
  case usage = 2
  /// The output was not written, or not as it was asked for.
  case output = 3
  /// What was to be encoded could not be listed whole.
  case input = 4
  /// SIGHUP ended the work early.
  case hungUp = 129
  /// SIGINT ended the work early.
  case interrupted = 130
  /// The reader of the output has closed it, as if SIGPIPE had ended the program.
  case outputClosed = 141
  /// SIGTERM ended the work early.
  case terminated = 143

  /// The exit code that shells give to a signal.
  package init(signal: Int32) {
    switch signal {
    case SIGINT: self = .interrupted
    case SIGHUP: self = .hungUp
    default: self = .terminated
    }
  }
}
