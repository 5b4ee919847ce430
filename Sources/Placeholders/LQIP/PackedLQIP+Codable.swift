#if !hasFeature(Embedded)
/// Coded as text: `#` and 8 hexadecimal digits.
extension PackedLQIP: Codable {
  /// Reads the text, or throws a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueOfText { try PackedLQIP($0) }
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(text: string)
  }
}
#endif
