/// A line of a terminal that stays below all that is printed, and tells what is going on.
///
/// It knows what is on the screen, and what to send so that nothing is left of it.
package struct StatusLine: Sendable {
  /// Erases the rest of the line (ECMA-48, EL).
  private static let erase = "\u{1B}[K"

  private var text = ""

  /// What to send to show another text in place of the last; an empty one takes it away.
  package mutating func show(_ text: String) -> String {
    guard text != self.text else { return "" }
    self.text = text
    return "\r\(text)\(Self.erase)"
  }

  /// What to send to print a line above.
  package func print(_ line: String) -> String {
    text.isEmpty ? "\(line)\n" : "\r\(Self.erase)\(line)\n\(text)"
  }
}
