internal import LqipFiles
internal import LqipRecords

extension PreviousRecords {
  /// Lines of the output that are no records.
  package struct Rejection: Hashable, Sendable {
    package let line: Int
    package let bounds: Range<Int>
  }

  /// Gives the lines that are no records, as far as all records have been looked at.
  func rejected() throws(CommandError) -> [Rejection] {
    let (malformed, merged) = state.withLock { ($0.malformed, $0.rejections) }
    let rejections = (rejections + merged).sorted { $0.line < $1.line }
    guard let output, !malformed.isEmpty else { return rejections }
    // Where they are is told by the newlines before them; this happens to damaged files alone.
    var (line, position) = (1, 0)
    return try rejections
      + malformed.map { number throws(CommandError) in
        let place = index[number]
        while position < place.offset {
          let length = min(1 << 18, place.offset - position)
          line += try read(position..<position + length, of: output)
            .count { $0 == UInt8(ascii: "\n") }
          position += length
        }
        return Rejection(line: line, bounds: place.offset..<(place.offset + place.byteCount))
      }
  }

  /// Takes note of a record that is none.
  func reject(_ rejection: Rejection) {
    state.withLock { $0.rejections.append(rejection) }
  }

  /// Reads the bytes of the output that are no record.
  func text(of rejection: Rejection) throws(CommandError) -> [UInt8] {
    guard let output else { return [] }
    return try read(rejection.bounds, of: output)
  }
}
