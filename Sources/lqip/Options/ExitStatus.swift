internal import LqipFiles

/// What the program tells its caller with its exit code.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// Some files failed, or the results could not be written.
  case failure = 1
  /// The command line makes no sense.
  case usage = 2
  /// SIGINT ended the work early; what was done is written.
  case interrupted = 130
  /// SIGTERM did.
  case terminated = 143

  /// The exit code that shells give to a signal.
  package init(signal: Int32) {
    self = signal == SIGINT ? .interrupted : .terminated
  }
}
