/// An error in a command line.
package enum UsageError: Error, Hashable, Sendable {
  case missingCommand
  case unknownCommand(String, Advice?)
  case unknownOption(String, Advice?)
  case missingValue(option: String, placeholder: String, Advice? = nil)
  case unexpectedValue(option: String)
  case invalidValue(String, option: String, allowed: String, Advice? = nil)
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
    case .unknownCommand(let name, let advice):
      "unknown command '\(name)'\(advice?.text ?? "")"
    case .unknownOption(let name, let advice):
      "unknown option '\(name)'\(advice?.text ?? "")"
    case .missingValue(let option, let placeholder, let advice):
      "option '\(option)' needs a value: \(option) \(placeholder)\(advice?.text ?? "")"
    case .unexpectedValue(let option):
      "option '\(option)' takes no value"
    case .invalidValue(let value, let option, let allowed, let advice):
      "invalid value '\(value)' for '\(option)': expected \(allowed)\(advice?.text ?? "")"
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

/// A suggestion at the end of an error message.
package struct Advice: Hashable, Sendable {
  /// The suggestion, including the punctuation that separates it from the message.
  package let text: String

  /// Creates a suggestion of a similar word.
  package static func word(_ word: String) -> Advice {
    Advice(text: " (did you mean '\(word)'?)")
  }

  /// Creates a suggestion to use a replacement, such as another command.
  package static func use(_ replacement: String) -> Advice {
    Advice(text: "; use: \(replacement)")
  }

  /// Creates a suggestion from a sentence without a final period.
  package static func note(_ sentence: String) -> Advice {
    Advice(text: "; \(sentence)")
  }
}

/// Suggestions for mistyped words.
package enum Suggestion {
  /// Returns the nearest candidate if it is similar, otherwise the first candidate that starts with the word, or `nil`
  /// if there is none.
  ///
  /// A similar candidate is at most two edits away, or one edit if the word has fewer than six letters. With two edits,
  /// `png` would be similar to `svg`.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let word = word.lowercased()
    let ranked = candidates.map { (name: $0, distance: distance(word, $0.lowercased())) }
    let limit = word.count { $0 != "-" } < 6 ? 1 : 2
    if let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit,
      best.distance < word.count
    {
      return best.name
    }
    return word.count > 2 ? candidates.first { $0.hasPrefix(word) } : nil
  }

  /// Returns a comma-separated list with unknown words corrected and duplicates removed, or `nil` if nothing changes or
  /// a word has no similar candidate.
  package static func corrected(list: String, by candidates: [String]) -> String? {
    let words = list.split(separator: ",", omittingEmptySubsequences: true).map(String.init)
    let corrected = words.compactMap { word in
      candidates.contains(word) ? word : nearest(to: word, among: candidates)
    }
    guard corrected.count == words.count else { return nil }
    let result = corrected.enumerated().filter { index, word in
      !corrected[..<index].contains(word)
    }.map(\.element).joined(separator: ",")
    return result == list || result.isEmpty ? nil : result
  }

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
