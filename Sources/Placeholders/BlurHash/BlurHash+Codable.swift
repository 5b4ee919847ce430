#if !hasFeature(Embedded)
/// Coded as text: its string.
extension BlurHash: Codable {
  /// Reads the text.
  ///
  /// - Parameter decoder: It has a single string.
  /// - Throws: `DecodingError` for any other value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let string = try container.decode(String.self)
    do {
      self = try BlurHash(string)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the text.
  ///
  /// - Parameter encoder: It is given a single string.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}
#endif
