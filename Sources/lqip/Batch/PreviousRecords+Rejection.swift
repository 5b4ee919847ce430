internal import LqipFiles
internal import LqipRecords

extension PreviousRecords {
  /// Lines of the output that are no records.
  package struct Rejection: Hashable, Sendable {
    package let line: Int
    package let bounds: Range<Int>
  }

  /// The lines that are no records, as far as all records have been looked at.
  package var rejected: [Rejection] {
    let (malformed, merged) = state.withLock { ($0.malformed, $0.rejections) }
    let rejections = (rejections + merged).sorted { $0.line < $1.line }
    guard let output, !malformed.isEmpty else { return rejections }
    // Where they are is told by the newlines before them; this happens to damaged files alone.
    var (line, position) = (1, 0)
    return rejections
      + malformed.map { number in
        let place = index[number]
        while position < place.offset {
          let length = min(1 << 18, place.offset - position)
          let chunk = try? FileDescriptor.read(output, at: position, upTo: length)
          line += chunk?.count { $0 == UInt8(ascii: "\n") } ?? 0
          position += length
        }
        return Rejection(line: line, bounds: place.offset..<(place.offset + place.byteCount))
      }
  }

  /// Takes note of a record that is none.
  func reject(_ rejection: Rejection) {
    state.withLock { $0.rejections.append(rejection) }
  }

  /// The bytes of the output that are no record.
  package func text(of rejection: Rejection) -> [UInt8] {
    guard let output else { return [] }
    let bytes = try? FileDescriptor.read(
      output, at: rejection.bounds.lowerBound, upTo: rejection.bounds.count)
    return bytes ?? []
  }
}
