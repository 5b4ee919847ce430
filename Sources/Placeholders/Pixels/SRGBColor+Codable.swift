#if !hasFeature(Embedded)
/// Coded as text: `#rrggbb`.
extension SRGBColor: Codable {
  /// Reads the text, or throws a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueOfText { text throws in
      guard let color = SRGBColor(hex: text) else { throw NotAColor() }
      return color
    }
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encode(text: hex)
  }

  /// Why a text is no color.
  private struct NotAColor: Error, CustomStringConvertible {
    let description = "expected # and 3 or 6 hexadecimal digits"
  }
}
#endif
