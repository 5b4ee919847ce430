/// Guesses what a mistyped word was meant to be.
enum Suggestion {
  /// The candidate that is nearest to the word, if one is near or begins with it.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { (name: $0, distance: distance(word, $0)) }
    if let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= 2,
      best.distance < word.count
    {
      return best.name
    }
    return word.count > 2 ? candidates.first { $0.hasPrefix(word) } : nil
  }

  /// The number of letters to insert, delete or replace to get from one word to the other.
  private static func distance(_ first: String, _ second: String) -> Int {
    let second = Array(second.utf8)
    var row = Array(0...second.count)
    for (index, letter) in first.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in second.indices {
        let replaced = diagonal + (letter == second[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
