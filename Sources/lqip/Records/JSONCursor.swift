/// Walks over JSON text without building anything from it.
///
/// No deeper nesting than records have is taken and, unless it is allowed, no white space, of which
/// this program writes none.
struct JSONCursor {
  private static let maximumDepth = 8

  private let text: [UInt8]
  private let bounds: Range<Int>
  private let allowsSpace: Bool
  private var position: Int
  /// All bytes of strings, laid over each other: above 0x7F if one is.
  private var union: UInt8 = 0

  init(_ text: [UInt8], _ bounds: Range<Int>, allowsSpace: Bool = false) {
    self.text = text
    self.bounds = bounds
    self.allowsSpace = allowsSpace
    position = bounds.lowerBound
  }

  /// Steps over one character.
  mutating func skip(_ character: Unicode.Scalar) throws(MalformedRecord) {
    skipSpace()
    try skipNext(character)
  }

  /// Steps over one character that nothing may come before.
  private mutating func skipNext(_ character: Unicode.Scalar) throws(MalformedRecord) {
    guard try next() == UInt8(ascii: character) else { throw MalformedRecord() }
  }

  /// Steps over a value of any kind.
  ///
  /// - Parameter depth: In how many others it lies.
  /// - Returns: Where the value stands.
  /// - Throws: `MalformedRecord` if there is none.
  @discardableResult
  mutating func skipValue(depth: Int = 0) throws(MalformedRecord) -> Range<Int> {
    skipSpace()
    let start = position
    guard start < bounds.upperBound, depth < Self.maximumDepth else { throw MalformedRecord() }
    switch text[start] {
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "{"):
      try skipMembers { cursor, _ throws(MalformedRecord) in
        try cursor.skipValue(depth: depth + 1)
      }
    case UInt8(ascii: "["):
      try skipElements(between: "[", "]") { cursor throws(MalformedRecord) in
        try cursor.skipValue(depth: depth + 1)
      }
    case UInt8(ascii: "t"): try skip(word: "true")
    case UInt8(ascii: "f"): try skip(word: "false")
    case UInt8(ascii: "n"): try skip(word: "null")
    default: try skipNumber()
    }
    return start..<position
  }

  /// Steps over an object; the body steps over each value and gets the place of its name.
  mutating func skipMembers(
    _ body: (inout Self, _ name: Range<Int>) throws(MalformedRecord) -> Void
  ) throws(MalformedRecord) {
    try skipElements(between: "{", "}") { cursor throws(MalformedRecord) in
      let name = try cursor.skipString()
      try cursor.skip(":")
      try body(&cursor, name)
    }
  }

  /// Steps over a string.
  ///
  /// - Returns: Where its characters stand, between the quotes.
  /// - Throws: `MalformedRecord` if there is none.
  @discardableResult
  mutating func skipString() throws(MalformedRecord) -> Range<Int> {
    try skip("\"")
    let start = position
    while true {
      let byte = try next()
      switch byte {
      case UInt8(ascii: "\""): return start..<(position - 1)
      case UInt8(ascii: "\\"): _ = try escaped()
      case ..<0x20: throw MalformedRecord()
      default: union |= byte
      }
    }
  }

  /// The bytes that a string's characters stand for.
  static func unescaped(
    _ text: [UInt8], _ characters: Range<Int>
  ) throws(MalformedRecord) -> ArraySlice<UInt8> {
    guard text[characters].contains(UInt8(ascii: "\\")) else { return text[characters] }
    var cursor = JSONCursor(text, characters)
    var bytes: [UInt8] = []
    while cursor.position < characters.upperBound {
      let byte = try cursor.next()
      if byte == UInt8(ascii: "\\") {
        bytes += String(try cursor.escaped()).utf8
      } else {
        bytes.append(byte)
      }
    }
    return bytes[...]
  }

  /// Makes sure that nothing is left, and that what was there was UTF-8.
  mutating func finish() throws(MalformedRecord) {
    skipSpace()
    guard position == bounds.upperBound else { throw MalformedRecord() }
    if union > 0x7F { try MalformedRecord.check(text, bounds) }
  }

  private mutating func next() throws(MalformedRecord) -> UInt8 {
    guard position < bounds.upperBound else { throw MalformedRecord() }
    defer { position += 1 }
    return text[position]
  }

  /// Steps over white space where it is allowed.
  private mutating func skipSpace() {
    guard allowsSpace else { return }
    while position < bounds.upperBound, [0x20, 0x09, 0x0A, 0x0D].contains(text[position]) {
      position += 1
    }
  }

  /// Steps over brackets and what is between them.
  mutating func skipElements(
    between opening: Unicode.Scalar, _ closing: Unicode.Scalar,
    _ body: (inout Self) throws(MalformedRecord) -> Void
  ) throws(MalformedRecord) {
    try skip(opening)
    skipSpace()
    guard position < bounds.upperBound, text[position] != UInt8(ascii: closing) else {
      return try skip(closing)
    }
    while true {
      try body(&self)
      skipSpace()
      let byte = try next()
      if byte == UInt8(ascii: closing) { return }
      guard byte == UInt8(ascii: ",") else { throw MalformedRecord() }
    }
  }

  private mutating func skip(word: StaticString) throws(MalformedRecord) {
    for scalar in "\(word)".unicodeScalars { try skip(scalar) }
  }

  private mutating func skipNumber() throws(MalformedRecord) {
    skip(oneOf: "-")
    let isZero = position < bounds.upperBound && text[position] == UInt8(ascii: "0")
    if try skipDigits() > 1, isZero { throw MalformedRecord() }
    if skip(oneOf: ".") { try skipDigits() }
    if skip(oneOf: "e", "E") {
      skip(oneOf: "+", "-")
      try skipDigits()
    }
  }

  @discardableResult
  private mutating func skip(oneOf first: Unicode.Scalar, _ second: Unicode.Scalar? = nil) -> Bool {
    guard position < bounds.upperBound else { return false }
    let scalar = Unicode.Scalar(text[position])
    guard scalar == first || scalar == second else { return false }
    position += 1
    return true
  }

  @discardableResult
  private mutating func skipDigits() throws(MalformedRecord) -> Int {
    let start = position
    while position < bounds.upperBound, 0x30...0x39 ~= text[position] { position += 1 }
    guard position > start else { throw MalformedRecord() }
    return position - start
  }

  /// Steps over the rest of an escape, whose backslash is behind.
  private mutating func escaped() throws(MalformedRecord) -> Unicode.Scalar {
    switch try next() {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw MalformedRecord()
    }
    var value = try codeUnit()
    if 0xD800..<0xDC00 ~= value {
      try skipNext("\\")
      try skipNext("u")
      let low = try codeUnit()
      guard 0xDC00..<0xE000 ~= low else { throw MalformedRecord() }
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw MalformedRecord() }
    return scalar
  }

  private mutating func codeUnit() throws(MalformedRecord) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let character = Character(Unicode.Scalar(try next()))
      guard let digit = character.hexDigitValue else { throw MalformedRecord() }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
