/// An error in a command line, with a message for the user.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Creates the error for a conflict between options, or any other error with its own message.
  package static func conflict(_ message: String) -> Self {
    Self(description: message)
  }

  package static func unknownOption(_ name: String, among names: [String]) -> Self {
    .conflict("unknown option '\(name)'\(suggestion(for: name, among: names))")
  }

  package static func invalidValue(
    _ value: String, option: String, allowed: String, suggestion: String = ""
  ) -> Self {
    .conflict("invalid value '\(value)' for '\(option)': expected \(allowed)\(suggestion)")
  }

  package static func missingOperand(_ name: String) -> Self {
    .conflict("missing argument \(name)")
  }

  package static func unexpectedOperand(_ text: String) -> Self {
    .conflict("unexpected argument '\(text)'")
  }

  /// Returns the end of an error message that suggests a candidate; empty if none is similar.
  ///
  /// The nearest candidate is suggested if it is at most two edits away, or one edit if the word has fewer than six
  /// letters: with two edits, `png` would be similar to `svg`. Otherwise, the first candidate that starts with the word
  /// is suggested.
  package static func suggestion(for word: String, among candidates: [String]) -> String {
    let word = word.lowercased()
    let ranked = candidates.map { (name: $0, distance: distance(word, $0.lowercased())) }
    let limit = min(word.count { $0 != "-" } < 6 ? 1 : 2, word.count - 1)
    var similar = ranked.min { $0.distance < $1.distance }
    if similar?.distance ?? .max > limit {
      similar = word.count > 2 ? ranked.first { $0.name.hasPrefix(word) } : nil
    }
    return similar.map { " (did you mean '\($0.name)'?)" } ?? ""
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
