/// Why a placeholder string cannot be drawn; the messages are for people.
package enum PreviewError: Error, Hashable, Sendable {
  /// The text is not such a string.
  case malformed(String)
  /// The string and how it is to be drawn do not fit together.
  case conflict(String)
}
