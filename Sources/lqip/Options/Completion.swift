/// What a shell can offer for a word of the command line.
package enum Completion: Hashable, Sendable {
  case none
  case files
  case words([String])
}
