/// An error in a command line.
package enum UsageError: Error, Hashable, Sendable {
  case missingCommand
  case unknownCommand(String, Suggestion?)
  case unknownOption(String, Suggestion?)
  case missingValue(option: String, placeholder: String)
  case unexpectedValue(option: String)
  case invalidValue(String, option: String, allowed: String, Suggestion? = nil)
  case missingOperand(String)
  case emptyOperand(String)
  case unexpectedOperand(String)
  /// A conflict between options, or any other error with its own message.
  case conflict(String)
}

extension UsageError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missingCommand:
      "no command given"
    case .unknownCommand(let name, let suggestion):
      "unknown command '\(name)'\(suggestion?.text ?? "")"
    case .unknownOption(let name, let suggestion):
      "unknown option '\(name)'\(suggestion?.text ?? "")"
    case .missingValue(let option, let placeholder):
      "option '\(option)' needs a value: \(option) \(placeholder)"
    case .unexpectedValue(let option):
      "option '\(option)' takes no value"
    case .invalidValue(let value, let option, let allowed, let suggestion):
      "invalid value '\(value)' for '\(option)': expected \(allowed)\(suggestion?.text ?? "")"
    case .missingOperand(let name):
      "missing argument \(name)"
    case .emptyOperand(let name):
      "argument \(name) is empty"
    case .unexpectedOperand(let text):
      "unexpected argument '\(text)'"
    case .conflict(let reason):
      reason
    }
  }
}

/// A word with a similar spelling, for the end of an error message.
package struct Suggestion: Hashable, Sendable {
  package let word: String

  /// Finds the nearest candidate if it is similar, otherwise the first candidate that starts with the word; `nil` if
  /// there is none.
  ///
  /// A similar candidate is at most two edits away, or one edit if the word has fewer than six letters. With two edits,
  /// `png` would be similar to `svg`.
  package init?(for word: String, among candidates: [String]) {
    let word = word.lowercased()
    let ranked = candidates.map { (name: $0, distance: Self.distance(word, $0.lowercased())) }
    let limit = min(word.count { $0 != "-" } < 6 ? 1 : 2, word.count - 1)
    if let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit {
      self.word = best.name
    } else if word.count > 2, let longer = candidates.first(where: { $0.hasPrefix(word) }) {
      self.word = longer
    } else {
      return nil
    }
  }

  /// The suggestion, including the punctuation that separates it from the message.
  package var text: String { " (did you mean '\(word)'?)" }

  /// Returns the edit distance between two words, in insertions, deletions, replacements and transpositions.
  ///
  /// Source: optimal string alignment, https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance.
  private static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first.utf8), Array(second.utf8))
    var rows = [Array(0...second.count)]
    for row in first.indices {
      var next = [row + 1]
      for column in second.indices {
        let replaced = rows[row][column] + (first[row] == second[column] ? 0 : 1)
        var least = min(replaced, next[column] + 1, rows[row][column + 1] + 1)
        if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
          least = min(least, rows[row - 1][column - 1] + 1)
        }
        next.append(least)
      }
      rows.append(next)
    }
    return rows[first.count][second.count]
  }
}
