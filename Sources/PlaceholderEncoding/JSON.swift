/// A JSON value that preserves the order of object members.
package enum JSON: Sendable {
  package typealias Member = (name: String, value: JSON)

  case string(String)
  case integer(Int)
  /// A finite number, written with the fewest digits that round-trip.
  case number(Double)
  case boolean(Bool)
  case null
  case array([JSON])
  case object([Member])
}

extension JSON: Encodable {
  /// The name of a member.
  struct Key: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .string(let text): try text.encode(to: encoder)
    case .integer(let number): try number.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .boolean(let flag): try flag.encode(to: encoder)
    case .null: try Bool?.none.encode(to: encoder)
    case .array(let elements): try elements.encode(to: encoder)
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in members { try container.encode(value, forKey: Key(stringValue: name)) }
    }
  }
}

extension KeyedDecodingContainer<JSON.Key> {
  /// Decodes a member and converts it to another type.
  ///
  /// - Throws: A `DecodingError` if the member is missing, or if `convert` returns nil.
  func value<Raw: Decodable, Value>(
    _ key: JSON.Key, _ convert: (Raw) -> Value?
  ) throws -> Value {
    guard let value = convert(try decode(Raw.self, forKey: key)) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "invalid value")
    }
    return value
  }
}
