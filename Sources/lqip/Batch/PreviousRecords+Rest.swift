package import LqipFiles
internal import LqipRecords

extension PreviousRecords {
  /// The records that come after a path in an output that is read in step with files: several at a time
  /// with what goes between them, as they stand there, where the output has the form that is wanted.
  ///
  /// - Parameters:
  ///   - path: The path; nil for all records.
  ///   - receive: Is given the bytes.
  /// - Throws: What `receive` throws, or that the records cannot be read.
  package func takeRest(
    after path: FilePath?, receive: ([UInt8]) throws(CommandError) -> Void
  ) throws(CommandError) {
    guard isMerged, let output else { return }
    let name = path?.normalized
    var reader: RecordReader
    do { reader = try RecordReader(output) } catch { throw unreadable(error) }
    var part = 0..<0
    while let entry = try nextEntry(&reader) {
      guard name?.precedes(entry.path.normalized) ?? true else { continue }
      let end = entry.offset + entry.byteCount
      if form != layout.form {
        let entry = RecordEntry(reader.text(of: entry), form, in: layout)
        if let entry { try receive(entry.bytes) }
      } else if !part.isEmpty, entry.offset == part.upperBound + gap,
        part.count < Self.partByteCount
      {
        part = part.lowerBound..<end
      } else {
        try take(part, of: output, receive)
        part = entry.offset..<end
      }
    }
    try take(part, of: output, receive)
  }

  /// The next entry of the output; lines that are none have been taken note of before.
  func nextEntry(
    _ reader: inout RecordReader
  ) throws(CommandError) -> RecordReader.Entry? {
    do {
      while let piece = try reader.next() {
        if case .entry(let entry) = piece { return entry }
      }
      return nil
    } catch {
      throw unreadable(error)
    }
  }

  private static let partByteCount = 1 << 20

  /// What goes between two records.
  private var gap: Int {
    layout.format == .ndjson ? 1 : 2
  }

  private func take(
    _ part: Range<Int>, of output: Int32, _ receive: ([UInt8]) throws(CommandError) -> Void
  ) throws(CommandError) {
    guard !part.isEmpty else { return }
    let bytes = try read(part, of: output)
    guard bytes.count == part.count else { throw unreadable(.inputOutput) }
    try receive(bytes)
  }

  /// The records of the output that no visited file has, as they stand there: several at a time with
  /// what goes between them, where the output has the form that is wanted.
  ///
  /// - Parameters:
  ///   - path: The first path that is not passed, where records are in the order of their paths; nil
  ///     to go on to the end.
  ///   - receive: Is given the bytes.
  /// - Throws: What `receive` throws, or that the records cannot be read.
  package func takeRest(
    before path: FilePath? = nil, receive: ([UInt8]) throws(CommandError) -> Void
  ) throws(CommandError) {
    guard form == layout.form, let output else { return }
    let end =
      try path.map { path throws(CommandError) in
        try firstNumber(notBefore: path.normalized.bytes)
      } ?? indexedCount
    while let numbers = nextRange(before: end) {
      let start = index[numbers.lowerBound].offset
      let last = index[numbers.upperBound - 1]
      try take(start..<last.offset + last.byteCount, of: output, receive)
      state.withLock { $0.nextUnvisited = numbers.upperBound }
    }
  }

  /// The next records that follow one another, of about a megabyte at most.
  private func nextRange(before limit: Int) -> Range<Int>? {
    let gap = gap
    return state.withLock { state in
      var first = state.nextUnvisited
      while first < limit, state.isVisited[first] { first += 1 }
      guard first < limit else { return nil }
      var end = first + 1
      while end < limit, !state.isVisited[end] {
        let last = index[end - 1]
        guard index[end].offset == last.offset + last.byteCount + gap,
          last.offset - index[first].offset < Self.partByteCount
        else { break }
        end += 1
      }
      return first..<end
    }
  }

  /// The first record that does not come before a path, found by halving.
  private func firstNumber(notBefore path: [UInt8]) throws(CommandError) -> Int {
    var range = state.withLock { $0.nextUnvisited }..<indexedCount
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let isBefore =
        try entry(middle)?.key.path.normalized.bytes.lexicographicallyPrecedes(path) ?? false
      range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
