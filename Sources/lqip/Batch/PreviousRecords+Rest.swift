package import LqipFiles
internal import LqipRecords
internal import Synchronization

extension PreviousRecords {
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
    let end = path.map { firstNumber(notBefore: $0.normalized.bytes) } ?? count
    while let numbers = nextRange(before: end) {
      let start = index[numbers.lowerBound].offset
      let last = index[numbers.upperBound - 1]
      let length = last.offset + last.byteCount - start
      guard let bytes = try? FileDescriptor.read(output, at: start, upTo: length),
        bytes.count == length
      else { throw .output("the earlier records cannot be read") }
      try receive(bytes)
      state.withLock { $0.nextUnvisited = numbers.upperBound }
    }
  }

  /// The next records that follow one another, of about a megabyte at most.
  private func nextRange(before limit: Int) -> Range<Int>? {
    let gap = layout.format == .ndjson ? 1 : 2
    return state.withLock { state in
      var first = state.nextUnvisited
      while first < limit, state.isVisited[first] { first += 1 }
      guard first < limit else { return nil }
      var end = first + 1
      while end < limit, !state.isVisited[end] {
        let last = index[end - 1]
        guard index[end].offset == last.offset + last.byteCount + gap,
          last.offset - index[first].offset < 1 << 20
        else { break }
        end += 1
      }
      return first..<end
    }
  }

  /// The first record that does not come before a path, found by halving.
  private func firstNumber(notBefore path: [UInt8]) -> Int {
    var range = state.withLock { $0.nextUnvisited }..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let isBefore =
        entry(middle)?.key.path.normalized.bytes.lexicographicallyPrecedes(path) ?? false
      range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
