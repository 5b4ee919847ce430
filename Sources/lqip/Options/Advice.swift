/// What to type instead of something mistaken: the end of an error message.
package struct Advice: Hashable, Sendable {
  /// The advice with the punctuation that joins it to a message.
  package let text: String

  /// Asks whether a word was meant.
  package static func word(_ word: String) -> Advice {
    Advice(text: " (did you mean '\(word)'?)")
  }

  /// Says what to type.
  package static func use(_ replacement: String) -> Advice {
    Advice(text: "; use: \(replacement)")
  }

  /// Says anything else.
  package static func note(_ sentence: String) -> Advice {
    Advice(text: "; \(sentence)")
  }
}
