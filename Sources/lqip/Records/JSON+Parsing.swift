extension JSON {
  /// Reads a value, with or without white space.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - bounds: Where the value stands in it.
  /// - Throws: `MalformedRecord` for anything else than one value as records have them.
  init(parsing text: [UInt8], _ bounds: Range<Int>) throws(MalformedRecord) {
    var cursor = JSONCursor(text, bounds, allowsSpace: true)
    let value = try cursor.skipValue()
    try cursor.finish()
    try self.init(text, value)
  }

  /// Reads a value that stands in its bounds and nothing else.
  private init(_ text: [UInt8], _ value: Range<Int>) throws(MalformedRecord) {
    var cursor = JSONCursor(text, value, allowsSpace: true)
    switch text[value.lowerBound] {
    case UInt8(ascii: "{"):
      var members: [Member] = []
      try cursor.skipMembers { cursor, name throws(MalformedRecord) in
        let name = try JSONCursor.unescaped(text, name)
        let value = try cursor.skipValue()
        members.append((String(decoding: name, as: UTF8.self), try JSON(text, value)))
      }
      self = .object(members)
    case UInt8(ascii: "["):
      var elements: [JSON] = []
      try cursor.skipElements(between: "[", "]") { cursor throws(MalformedRecord) in
        elements.append(try JSON(text, try cursor.skipValue()))
      }
      self = .array(elements)
    case UInt8(ascii: "\""):
      let bytes = try JSONCursor.unescaped(text, try cursor.skipString())
      self = .string(String(decoding: bytes, as: UTF8.self))
    default:
      try self.init(word: String(decoding: text[value], as: UTF8.self))
    }
  }

  /// Reads a number or a name; records have no null.
  private init(word: String) throws(MalformedRecord) {
    if let flag = Bool(word) {
      self = .boolean(flag)
    } else if let integer = Int(word) {
      self = .integer(integer)
    } else if let number = Double(word), number.isFinite {
      self = .number(number)
    } else {
      throw MalformedRecord()
    }
  }
}
