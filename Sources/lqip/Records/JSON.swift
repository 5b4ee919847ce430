import LqipSystem
package import PlaceholderEncoding

extension JSON {
  /// The first member of an object with the given name; `nil` if there is none, or for any other value.
  package subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string; `nil` for any other value.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value in UTF-8 on one line, without spaces between tokens.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(512)
    write(to: &output)
    return output
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .string(let text):
      Self.write(text, to: &output)
    case .integer(let number):
      output += String(number).utf8
    case .number(let number):
      output += number.description.utf8
    case .boolean(let flag):
      output += (flag ? "true" : "false").utf8
    case .null:
      output += "null".utf8
    case .array(let elements):
      Self.write(elements, between: "[", "]", to: &output) { $0.write(to: &$1) }
    case .object(let members):
      Self.write(members, between: "{", "}", to: &output) { member, output in
        Self.write(member.name, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between opening: Unicode.Scalar, _ closing: Unicode.Scalar,
    to output: inout [UInt8], _ body: (Element, inout [UInt8]) -> Void
  ) {
    output.append(UInt8(ascii: opening))
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      body(element, &output)
    }
    output.append(UInt8(ascii: closing))
  }

  /// Writes a string with more escapes than JSON requires.
  ///
  /// DEL, C1 controls and Unicode line separators are also escaped. Each reader therefore sees a record as one line,
  /// and a file name cannot send control sequences to a terminal.
  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    defer { output.append(UInt8(ascii: "\"")) }
    // Most strings need no escapes.
    var text = text
    let isWritten = text.withUTF8 { bytes in
      guard unsafe bytes.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }) else {
        return false
      }
      unsafe output.append(contentsOf: bytes)
      return true
    }
    if isWritten { return }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\"".utf8
      case "\\": output += "\\\\".utf8
      case "\n": output += "\\n".utf8
      case "\r": output += "\\r".utf8
      case "\t": output += "\\t".utf8
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        output += "\\u\(String(UInt64(scalar.value), radix: 16, minimumLength: 4))".utf8
      default: output += String(scalar).utf8
      }
    }
  }
}

extension JSON {
  /// The error for text that is not a JSON value, contains an infinite number, or is nested deeper than eight levels.
  package struct ParsingError: Error {}

  private static let maximumDepth = 8

  /// Parses one JSON value, with optional white space around it; members whose value is `null` are omitted.
  package init(parsing text: [UInt8]) throws(ParsingError) {
    var parser = Parser(text: text)
    self = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == text.count else { throw ParsingError() }
  }

  private struct Parser {
    let text: [UInt8]
    var position = 0

    mutating func value(depth: Int) throws(ParsingError) -> JSON {
      guard depth <= JSON.maximumDepth else { throw ParsingError() }
      skipSpace()
      switch byte {
      case UInt8(ascii: "{"):
        var members: [Member] = []
        try elements(until: "}") { parser throws(ParsingError) in
          parser.skipSpace()
          let name = try parser.string()
          try parser.expect(":")
          let value = try parser.value(depth: depth + 1)
          if case .null = value { return }
          members.append((name, value))
        }
        return .object(members)
      case UInt8(ascii: "["):
        var elements: [JSON] = []
        try self.elements(until: "]") { parser throws(ParsingError) in
          elements.append(try parser.value(depth: depth + 1))
        }
        return .array(elements)
      case UInt8(ascii: "\""): return .string(try string())
      case UInt8(ascii: "t"): return try literal("true", .boolean(true))
      case UInt8(ascii: "f"): return try literal("false", .boolean(false))
      case UInt8(ascii: "n"): return try literal("null", .null)
      default: return try number()
      }
    }

    mutating func skipSpace() {
      while let byte, byte == 0x20 || 0x09...0x0A ~= byte || byte == 0x0D { position += 1 }
    }

    private var byte: UInt8? {
      position < text.count ? text[position] : nil
    }

    private mutating func next() throws(ParsingError) -> UInt8 {
      guard let byte else { throw ParsingError() }
      position += 1
      return byte
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(ParsingError) {
      skipSpace()
      guard try next() == UInt8(ascii: character) else { throw ParsingError() }
    }

    private mutating func elements(
      until closing: Unicode.Scalar, _ body: (inout Self) throws(ParsingError) -> Void
    ) throws(ParsingError) {
      position += 1
      skipSpace()
      guard byte != UInt8(ascii: closing) else { return position += 1 }
      while true {
        try body(&self)
        skipSpace()
        let separator = try next()
        if separator == UInt8(ascii: closing) { return }
        guard separator == UInt8(ascii: ",") else { throw ParsingError() }
      }
    }

    /// Parses a number by the grammar of RFC 8259, section 6; Swift accepts more.
    private mutating func number() throws(ParsingError) -> JSON {
      let start = position
      _ = skip("-")
      if !skip("0") { try skipDigits() }
      if skip(".") { try skipDigits() }
      if skip("e") || skip("E") {
        _ = skip("+") || skip("-")
        try skipDigits()
      }
      let word = String(decoding: text[start..<position], as: UTF8.self)
      if let integer = Int(word) { return .integer(integer) }
      guard let number = Double(word), number.isFinite else { throw ParsingError() }
      return .number(number)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard byte == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    /// Skips one or more digits.
    private mutating func skipDigits() throws(ParsingError) {
      let start = position
      while let byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
      guard position > start else { throw ParsingError() }
    }

    private mutating func literal(_ word: String, _ value: JSON) throws(ParsingError) -> JSON {
      guard text[position...].starts(with: word.utf8) else { throw ParsingError() }
      position += word.utf8.count
      return value
    }

    private mutating func string() throws(ParsingError) -> String {
      try expect("\"")
      var bytes: [UInt8] = []
      while true {
        switch try next() {
        case UInt8(ascii: "\""):
          guard let string = String(validating: bytes, as: UTF8.self) else { throw ParsingError() }
          return string
        case UInt8(ascii: "\\"): bytes += try escape().utf8
        case ..<0x20: throw ParsingError()
        case let byte: bytes.append(byte)
        }
      }
    }

    private static let escapes = Array("\"\\/bfnrt".utf8)
    private static let escaped: [Unicode.Scalar] = [
      "\"", "\\", "/", "\u{8}", "\u{C}", "\n", "\r", "\t",
    ]

    /// Parses the rest of an escape, after its backslash.
    private mutating func escape() throws(ParsingError) -> String {
      let byte = try next()
      if let index = Self.escapes.firstIndex(of: byte) { return String(Self.escaped[index]) }
      guard byte == UInt8(ascii: "u") else { throw ParsingError() }
      var units = [try codeUnit()]
      if UTF16.isLeadSurrogate(units[0]) {
        guard try next() == UInt8(ascii: "\\"), try next() == UInt8(ascii: "u") else {
          throw ParsingError()
        }
        units.append(try codeUnit())
      }
      guard let text = String(validating: units, as: UTF16.self) else { throw ParsingError() }
      return text
    }

    /// Parses the four hexadecimal digits of a UTF-16 code unit.
    private mutating func codeUnit() throws(ParsingError) -> UInt16 {
      var value: UInt16 = 0
      for _ in 0..<4 {
        guard let digit = Character(Unicode.Scalar(try next())).hexDigitValue else {
          throw ParsingError()
        }
        value = value << 4 | UInt16(digit)
      }
      return value
    }
  }
}
