/// Why a command stopped before its end.
enum CommandError: Error, Hashable, Sendable {
  /// The command line asks for something that cannot be done.
  case usage(UsageError)
  /// Something went wrong; the message is for people.
  case failed(String)
  /// Nobody reads the results any more, which is the reader's right.
  case outputClosed
}
