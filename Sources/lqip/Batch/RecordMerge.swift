internal import LqipFiles
internal import LqipRecords

/// Reads the records of an earlier output in step with files that come in the same order.
///
/// It holds one record, however many there are.
struct RecordMerge {
  private let previous: PreviousRecords
  private var reader: RecordReader
  private var next: (path: FilePath, entry: RecordReader.Entry)?

  /// Starts with the first record; nil where the records have another order.
  init?(_ previous: PreviousRecords) throws(CommandError) {
    guard previous.isMerged, let output = previous.output else { return nil }
    self.previous = previous
    do { reader = try RecordReader(output) } catch { throw previous.unreadable(error) }
    try advance()
  }

  /// Takes the next record if it comes before a path.
  ///
  /// - Parameter path: The path, without steps that lead nowhere; nil for the end of the output.
  /// - Returns: The record; nil if the next is another.
  /// - Throws: That the output cannot be read.
  mutating func take(before path: FilePath?) throws(CommandError) -> RecordEntry? {
    while let next, path.map({ next.path.precedes($0) }) ?? true {
      if let entry = try take(next.entry) { return entry }
    }
    return nil
  }

  /// Takes the record of a path if that is the next.
  mutating func take(at path: FilePath) throws(CommandError) -> RecordEntry? {
    guard let next, next.path == path else { return nil }
    return try take(next.entry)
  }

  /// Reads a record; one that turns out to be none is put aside.
  private mutating func take(_ entry: RecordReader.Entry) throws(CommandError) -> RecordEntry? {
    let record = RecordEntry(reader.text(of: entry), previous.form, in: previous.layout)
    if record == nil {
      let bounds = entry.offset..<entry.offset + entry.byteCount
      previous.reject(PreviousRecords.Rejection(line: entry.line, bounds: bounds))
    }
    try advance()
    return record
  }

  private mutating func advance() throws(CommandError) {
    next = try previous.nextEntry(&reader).map { ($0.path.normalized, $0) }
  }
}
