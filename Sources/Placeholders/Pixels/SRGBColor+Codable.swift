#if !hasFeature(Embedded)
/// Coded as text: `#rrggbb`.
extension SRGBColor: Codable {
  /// Reads the text.
  ///
  /// - Parameter decoder: It has a single string.
  /// - Throws: `DecodingError` for any other value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let color = SRGBColor(hex: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a color is # and 3 or 6 hexadecimal digits")
    }
    self = color
  }

  /// Writes the text.
  ///
  /// - Parameter encoder: It is given a single string.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hex)
  }
}
#endif
