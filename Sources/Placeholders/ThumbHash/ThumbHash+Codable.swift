#if !hasFeature(Embedded)
/// Coded as text: its string.
extension ThumbHash: Codable {
  /// Reads the text, or throws a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueOfText { try ThumbHash($0) }
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(text: string)
  }
}
#endif
