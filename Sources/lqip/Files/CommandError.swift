/// Why a command stopped before its end.
package enum CommandError: Error, Hashable, Sendable {
  /// The command line asks for something that cannot be done; the message is for people.
  case usage(String)
  /// Something went wrong; the message is for people.
  case failed(String)
  /// Nobody reads the results any more, which is the reader's right.
  case outputClosed
}
