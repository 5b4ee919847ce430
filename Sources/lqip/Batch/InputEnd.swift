internal import LqipFiles

/// How the input of a batch came to its end.
///
/// `Result` would have the runtime look for what conforms to `Error`, which takes longer than an image does.
struct InputEnd: Sendable {
  private let error: CommandError?

  /// Takes what went wrong, if anything did.
  init(_ error: CommandError? = nil) {
    self.error = error
  }

  /// Throws what went wrong.
  func check() throws(CommandError) {
    if let error { throw error }
  }
}
