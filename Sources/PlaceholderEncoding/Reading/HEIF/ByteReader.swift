/// The reason why a container or a bitstream header could not be read.
enum HEIFFailure: Error, Hashable, Sendable {
  case corrupt(String)
  case truncated(String)
  case unsupported(String)
  case tooLarge(String)
}

/// A cursor over big-endian fields of a byte range.
///
/// Reading past the end throws an error.
struct ByteReader {
  private let bytes: [UInt8]
  private(set) var position: Int
  let end: Int

  /// Creates a reader of a range, which must lie within the bytes.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "range out of bounds")
    self.bytes = bytes
    (position, end) = (range.lowerBound, range.upperBound)
  }

  init(_ bytes: [UInt8]) { self.init(bytes, in: bytes.indices) }

  var count: Int { end - position }
  var isAtEnd: Bool { position == end }

  /// Reads an unsigned integer of up to eight bytes, at most `Int.max`.
  mutating func integer(_ size: Int) throws(HEIFFailure) -> Int {
    guard size <= count else { throw .corrupt("a field exceeds its box") }
    var value: UInt64 = 0
    for index in position..<position + size { value = value << 8 | UInt64(bytes[index]) }
    position += size
    guard let value = Int(exactly: value) else { throw .corrupt("a number is too large") }
    return value
  }

  /// Reads a signed 32-bit integer.
  mutating func signedInteger() throws(HEIFFailure) -> Int {
    Int(Int32(truncatingIfNeeded: try integer(4)))
  }

  /// Reads a code of four characters; bytes that are not printable become question marks.
  mutating func code() throws(HEIFFailure) -> String {
    let range = try self.range(4)
    return String(
      decoding: bytes[range].map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") },
      as: UTF8.self)
  }

  /// Skips bytes and returns their range.
  mutating func range(_ size: Int) throws(HEIFFailure) -> Range<Int> {
    guard size >= 0, size <= count else { throw .corrupt("a field exceeds its box") }
    defer { position += size }
    return position..<position + size
  }

  mutating func skip(_ size: Int) throws(HEIFFailure) { _ = try range(size) }

  /// Returns the next bytes, which share the storage.
  mutating func slice(_ size: Int) throws(HEIFFailure) -> ArraySlice<UInt8> {
    bytes[try range(size)]
  }

  /// Returns the text up to its terminator, at most `limit` bytes.
  func text(upTo limit: Int) -> String {
    String(decoding: bytes[position..<end].prefix(limit).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Reads the version and the flags of a full box.
  mutating func versionAndFlags() throws(HEIFFailure) -> (version: Int, flags: Int) {
    (try integer(1), try integer(3))
  }

  /// Reads the header of a box, which must fit in `available` bytes; returns its type and the size of its content.
  ///
  /// Source: ISO/IEC 14496-12, section 4.2.
  mutating func boxHeader(within available: Int) throws(HEIFFailure) -> (type: String, count: Int) {
    let start = position
    var size = try integer(4)
    let type = try code()
    if size == 1 { size = try integer(8) }
    if size == 0 { size = available }
    let headerSize = position - start
    guard size >= headerSize, size <= available else {
      throw .corrupt("the box '\(type)' exceeds its parent")
    }
    return (type, size - headerSize)
  }

  /// Reads the next box and skips its content; nil at the end.
  mutating func box() throws(HEIFFailure) -> Box? {
    guard !isAtEnd else { return nil }
    let (type, size) = try boxHeader(within: count)
    return Box(type: type, content: try range(size))
  }

  /// Reads all boxes up to the end.
  mutating func boxes(upTo limit: Int) throws(HEIFFailure) -> [Box] {
    var boxes: [Box] = []
    while let box = try box() {
      guard boxes.count < limit else { throw .tooLarge("more than \(limit) boxes in a box") }
      boxes.append(box)
    }
    return boxes
  }

  /// Returns a reader of a range of the same bytes.
  func reader(of range: Range<Int>) -> ByteReader { ByteReader(bytes, in: range) }
}

/// A box of ISO/IEC 14496-12: its type, and the range of its content.
struct Box: Hashable {
  let type: String
  let content: Range<Int>
}

/// A cursor over the bits of a bitstream header, most significant bit first.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads an unsigned integer of up to 32 bits.
  mutating func bits(_ count: Int) throws(HEIFFailure) -> Int {
    guard count <= bytes.count * 8 - position else {
      throw .corrupt("a parameter set is too short")
    }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
      position += 1
    }
    return value
  }

  mutating func flag() throws(HEIFFailure) -> Bool { try bits(1) == 1 }

  /// Skips bits.
  mutating func skip(_ count: Int) throws(HEIFFailure) {
    guard count <= bytes.count * 8 - position else {
      throw .corrupt("a parameter set is too short")
    }
    position += count
  }

  /// Reads an unsigned Exp-Golomb code.
  ///
  /// Source: ITU-T H.265, section 9.2.
  mutating func exponentialGolomb() throws(HEIFFailure) -> Int {
    var zeros = 0
    while try !flag() {
      zeros += 1
      guard zeros <= 31 else { throw .corrupt("a number in a parameter set is too large") }
    }
    return (1 << zeros) - 1 + (try bits(zeros))
  }
}
