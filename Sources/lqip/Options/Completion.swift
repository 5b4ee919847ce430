/// What a shell offers to complete a word of the command line.
package enum Completion: Hashable, Sendable {
  case none
  case files
  /// One of the words, or of a list some, with commas between them.
  case words([String], isList: Bool = false)
}
