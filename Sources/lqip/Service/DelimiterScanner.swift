/// Finds the lines between the parts of a body: RFC 2046, section 5.1.1.
///
/// A delimiter begins with the only CR in it. So where a comparison fails, no other can begin
/// before that place, and each byte is looked at a fixed number of times, whatever the body is.
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

  private static let dash = UInt8(ascii: "-")
  /// What every delimiter begins with, as it lies in memory: CR, LF and two dashes.
  private static let beginning = UInt32(littleEndian: 0x2D2D_0A0D)

  /// A line's end, two dashes and the boundary.
  private let delimiter: [UInt8]
  /// Where the search goes on.
  var position = 0

  init(_ delimiter: [UInt8]) {
    self.delimiter = delimiter
  }

  /// The next line, or nil if there is none.
  mutating func next(in body: Span<UInt8>) -> Line? {
    // The body's start is the start of a line too.
    if position == 0, startsWithLine(body),
      let line = line(in: body, from: 0, behind: delimiter.count - 2)
    {
      return line
    }
    while let start = find(in: body) {
      if let line = line(in: body, from: start, behind: start + delimiter.count) { return line }
    }
    return nil
  }

  private func startsWithLine(_ body: Span<UInt8>) -> Bool {
    let line = delimiter[2...]
    return line.count <= body.count && line.indices.allSatisfy { delimiter[$0] == body[$0 - 2] }
  }

  /// Where the next delimiter begins.
  private func find(in body: Span<UInt8>) -> Int? {
    unsafe body.withUnsafeBytes { body in
      var start = position
      while start + delimiter.count <= body.count {
        guard unsafe body.loadUnaligned(fromByteOffset: start, as: UInt32.self) == Self.beginning
        else {
          start += 1
          continue
        }
        var count = 4
        while count < delimiter.count, unsafe body[start + count] == delimiter[count] { count += 1 }
        if count == delimiter.count { return start }
        start += count
      }
      return nil
    }
  }

  /// Reads what follows a delimiter, and moves on behind it or to where it turns out to be no line.
  private mutating func line(in body: Span<UInt8>, from start: Int, behind end: Int) -> Line? {
    position = end
    let isLast =
      end + 1 < body.count && body[end] == Self.dash && body[end + 1] == Self.dash
    if isLast { position += 2 }
    while position < body.count, ParameterizedValue.isBlank(body[position]) { position += 1 }
    if position + 1 < body.count, body[position] == 0x0D, body[position + 1] == 0x0A {
      return Line(start: start, end: position + 2, isLast: isLast)
    }
    return isLast && position == body.count
      ? Line(start: start, end: position, isLast: true) : nil
  }
}
