#if !hasFeature(Embedded)
/// Coded as an integer.
extension IntegerLQIP: Codable {
  /// Reads the integer, or throws a `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let integer = IntegerLQIP(try container.decode(Int.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected an integer in \(Self.range)")
    }
    self = integer
  }

  /// Writes the integer.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
#endif
