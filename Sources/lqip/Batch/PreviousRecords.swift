internal import LqipFiles
internal import LqipRecords

/// The records of earlier runs: of the output that is to be replaced, and of a run that was killed.
///
/// Of each record only its place in the file is held, 24 bytes; it is read when it is wanted.
@MainActor
package final class PreviousRecords {
  /// What earlier runs say of a file.
  enum Match {
    /// The record still holds.
    case unchanged(RecordEntry)
    /// The record holds if the content still has its digest.
    case unlessContentChanged(RecordEntry)
  }

  /// Where a record is.
  private struct Place {
    let hash: Int
    let offset: Int
    let byteCount: Int32
    /// Its number in the output; -1 in the journal.
    let number: Int32
  }

  /// Keeps the output open.
  private let outputFile: FileDescriptor?
  private let output: Int32?
  private let journal: Int32?
  private let layout: RecordLayout
  private let style: RecordStamp.Style
  /// In the order of the hashes.
  private var places: [Place] = []
  private var isVisited: [Bool] = []
  /// Where the last record in the journal ends, with its terminator; 0 if there is none.
  private(set) var journalEnd = 0
  private var unvisited: RecordReader?
  private var nextUnvisited: (entry: RecordReader.Entry, number: Int)?

  /// Looks through the records of the output and of the journal, either of which may be nil.
  ///
  /// - Parameters:
  ///   - output: The output as it is.
  ///   - journal: The journal, which stays open.
  ///   - layout: What the records look like.
  ///   - style: What those look like that are to hold.
  /// - Throws: The system's error if one of them cannot be read.
  init(
    output: consuming FileDescriptor?, journal: Int32?, _ layout: RecordLayout,
    _ style: RecordStamp.Style
  ) throws(SystemError) {
    self.output = output?.number
    outputFile = output
    self.journal = journal
    self.layout = layout
    self.style = style
    if let output = self.output {
      try read(output) { entry, count in
        isVisited.append(false)
        return count
      }
      unvisited = try RecordReader(output, layout)
    }
    if let journal {
      try read(journal) { entry, _ in
        journalEnd = entry.offset + entry.byteCount + layout.terminator.count
        return -1
      }
    }
    places.sort { $0.hash < $1.hash }
    nextUnvisited = try unvisited?.next().map { ($0, 0) }
  }

  /// Tells what is known of a file without opening it.
  func match(for path: FilePath) -> Match? {
    let hash = path.hashValue
    var match: Match?
    for place in places[firstIndex(of: hash)...].prefix(while: { $0.hash == hash }) {
      let file = place.number >= 0 ? output : journal
      guard let file, let entry = entry(place.offset, Int(place.byteCount), in: file),
        entry.key.path == path
      else { continue }
      if place.number >= 0 { isVisited[Int(place.number)] = true }
      match = match ?? self.match(entry)
    }
    return match
  }

  /// Takes the records of the output that no visited file has, in their order.
  ///
  /// - Parameters:
  ///   - path: The first path that is not passed; nil to go on to the end.
  ///   - receive: Is given each record.
  /// - Throws: What `receive` throws, or that the output cannot be read.
  func takeUnvisited(
    before path: FilePath?, receive: (RecordEntry) throws(CommandError) -> Void
  ) throws(CommandError) {
    while let (next, number) = nextUnvisited {
      if let path, !next.key.path.bytes.lexicographicallyPrecedes(path.bytes) { return }
      if !isVisited[number], let output,
        let entry = entry(next.offset, next.byteCount, in: output)
      {
        try receive(entry)
      }
      do {
        nextUnvisited = try unvisited?.next().map { ($0, number + 1) }
      } catch {
        throw .failed("cannot read the old output: \(error)")
      }
    }
  }

  private func match(_ entry: RecordEntry) -> Match? {
    guard let status = try? FileStatus(of: entry.key.path, followsLinks: true),
      status.kind == .regular
    else { return nil }
    if style.comparesContent { return .unlessContentChanged(entry) }
    return entry.key.matches(RecordStamp(status, style), nil) ? .unchanged(entry) : nil
  }

  private func read(
    _ descriptor: Int32, number: (RecordReader.Entry, Int) -> Int
  ) throws(SystemError) {
    var reader = try RecordReader(descriptor, layout)
    var count = 0
    while let entry = try reader.next() {
      places.append(
        Place(
          hash: entry.key.path.hashValue, offset: entry.offset, byteCount: Int32(entry.byteCount),
          number: Int32(number(entry, count))))
      count += 1
    }
  }

  /// Reads an entry again; one that is not there any more is as good as none.
  private func entry(_ offset: Int, _ byteCount: Int, in descriptor: Int32) -> RecordEntry? {
    let bytes = try? RecordReader.bytes(of: descriptor, at: offset, byteCount: byteCount)
    guard let bytes, let key = RecordKey(parsing: bytes, layout) else { return nil }
    return RecordEntry(key: key, bytes: bytes)
  }

  /// The index of the first place whose hash is not less, by halving.
  private func firstIndex(of hash: Int) -> Int {
    var range = places.indices
    while let middle = range.middle {
      range = places[middle].hash < hash ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}

extension Range<Int> {
  /// An element with as many before it as after, or one more; nil if there is none.
  fileprivate var middle: Int? {
    isEmpty ? nil : lowerBound + count / 2
  }
}
