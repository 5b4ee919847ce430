/// What the program tells its caller with its exit code.
enum ExitStatus: Int32, Sendable {
  case success = 0
  /// Some files failed, or the results could not be written.
  case failure = 1
  /// The command line makes no sense.
  case usage = 2
}
