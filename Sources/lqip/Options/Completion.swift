/// What a shell offers to complete a word of the command line.
package enum Completion: Hashable, Sendable {
  case none
  case files
  case words([String])
  /// Some of the words, with commas between them.
  case list([String])
}
