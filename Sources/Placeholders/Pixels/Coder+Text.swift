#if !hasFeature(Embedded)
extension Decoder {
  /// Reads a value that is coded as a single string; what the parser throws becomes an error of decoding.
  func valueOfText<Value>(_ parse: (String) throws -> Value) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    do {
      return try parse(text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }
}

extension Encoder {
  /// Writes a single string.
  func encode(text: String) throws {
    var container = singleValueContainer()
    try container.encode(text)
  }
}
#endif
