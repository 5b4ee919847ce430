internal import LqipFiles
internal import LqipRecords

extension PreviousRecords {
  /// Indexes the records of a file, in the order in which they stand there.
  static func read(
    _ reader: inout RecordReader, of descriptor: Int32, into index: inout RecordIndex,
    reject: (Int, Range<Int>) -> Void
  ) throws(SystemError) {
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
