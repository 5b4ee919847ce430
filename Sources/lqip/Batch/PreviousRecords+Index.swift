internal import LqipFiles
internal import LqipRecords

extension PreviousRecords {
  /// Counts the records of a file that come in the order of their paths, none of them twice.
  ///
  /// - Parameters:
  ///   - reader: Reads the file.
  ///   - rejections: Gets the lines that are no records.
  /// - Returns: How many there are; nil if they come in another order.
  /// - Throws: The system's error if the file cannot be read.
  static func count(
    _ reader: RecordReader, _ rejections: inout [Rejection]
  ) throws(SystemError) -> Int? {
    var reader = reader
    var count = 0
    var last: FilePath?
    while let piece = try reader.next() {
      switch piece {
      case .entry(let entry):
        let path = entry.path.normalized
        if let last, !last.precedes(path) { return nil }
        last = path
        count += 1
      case .rejected(let line, let bounds):
        rejections.append(Rejection(line: line, bounds: bounds))
      }
    }
    return count
  }

  /// Indexes the records of a file, in the order in which they stand there.
  static func read(
    _ reader: RecordReader, of descriptor: Int32, into index: inout RecordIndex,
    reject: (Int, Range<Int>) -> Void
  ) throws(SystemError) {
    var reader = reader
    let first = index.count
    let size = try FileStatus(of: descriptor).byteCount
    while let piece = try reader.next() {
      switch piece {
      case .entry(let entry):
        let place = RecordIndex.Place(offset: entry.offset, byteCount: entry.byteCount)
        index.append(place, path: entry.path)
        // By now the length of the rest can be told from that of the beginning.
        if index.count == first + 100 {
          index.reserveCapacity(first + size / max(1, entry.offset / 100) * 17 / 16)
        }
      case .rejected(let line, let bounds): reject(line, bounds)
      }
    }
  }
}
