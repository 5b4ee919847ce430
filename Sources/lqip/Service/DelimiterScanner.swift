/// Finds the lines between the parts of a body: RFC 2046, section 5.1.1.
///
/// A delimiter begins with the only CR in it. So where a comparison fails, no other can begin
/// before that place, and no byte is compared twice.
struct DelimiterScanner {
  /// A line between parts.
  struct Line {
    /// Where the part before it ends.
    let start: Int
    /// Where the part after it begins.
    let end: Int
    /// Whether no part comes after it.
    let isLast: Bool
  }

  /// Bytes that are looked at together for whether there is a CR.
  private typealias Block = SIMD32<UInt8>

  private static let lineEnd = Array("\r\n".utf8)

  /// A line's end, two dashes and the boundary.
  private let delimiter: [UInt8]
  /// Where the search goes on.
  var position = 0

  init(_ delimiter: [UInt8]) {
    self.delimiter = delimiter
  }

  /// The next line, or nil if there is none.
  mutating func next(in body: Span<UInt8>) -> Line? {
    unsafe body.withUnsafeBufferPointer { unsafe next(in: $0) }
  }

  private mutating func next(in body: UnsafeBufferPointer<UInt8>) -> Line? {
    // The body's start is the start of a line too.
    if position == 0, let line = unsafe line(in: body, at: 0, skipping: 2) { return line }
    while unsafe findLineEnd(in: body) {
      if let line = unsafe line(in: body, at: position, skipping: 0) { return line }
      position += 1
    }
    return nil
  }

  /// Moves on to the next CR with an LF.
  private mutating func findLineEnd(in body: UnsafeBufferPointer<UInt8>) -> Bool {
    let bytes = UnsafeRawBufferPointer(body)
    // A local one, so that it stays in a register.
    var index = position
    defer { position = index }
    while index + 1 < bytes.count {
      if unsafe bytes[index] == 0x0D {
        if unsafe bytes[index + 1] == 0x0A { return true }
        index += 1
      } else if index + Block.scalarCount > bytes.count {
        index += 1
      } else if unsafe any(
        bytes.loadUnaligned(fromByteOffset: index, as: Block.self) .== Block(repeating: 0x0D))
      {
        repeat { index += 1 } while unsafe bytes[index] != 0x0D
      } else {
        index += Block.scalarCount
      }
    }
    return false
  }

  /// Reads a line at a place, or moves on to where it turns out to be none.
  private mutating func line(
    in body: UnsafeBufferPointer<UInt8>, at start: Int, skipping count: Int
  ) -> Line? {
    var end = start
    func skip(_ text: ArraySlice<UInt8>) -> Bool {
      for byte in text {
        guard end < body.count, unsafe body[end] == byte else { return false }
        end += 1
      }
      return true
    }
    // One less, as the search goes on after it.
    defer { position = max(start, end - 1) }
    guard skip(delimiter[count...]) else { return nil }
    let dashes = end
    let isLast = skip([0x2D, 0x2D])
    if !isLast { end = dashes }
    while end < body.count, unsafe ParameterizedValue.isBlank(body[end]) { end += 1 }
    let blankEnd = end
    guard skip(Self.lineEnd[...]) || isLast && blankEnd == body.count else { return nil }
    return Line(start: start, end: end, isLast: isLast)
  }
}
