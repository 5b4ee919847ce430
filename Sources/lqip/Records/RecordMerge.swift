package import LqipSystem

/// Merges sorted outputs by path.
///
/// Of several records with the same path, the one with the latest change time in its stamp wins. On a tie, the first
/// output wins.
package struct RecordMerge: ~Copyable {
  private struct Source {
    let file: Int32
    var reader: RecordReader
    var record: RecordReader.Record?

    init(_ file: Int32, _ reader: RecordReader) throws(CommandError) {
      (self.file, self.reader) = (file, reader)
      try advance()
    }

    mutating func advance() throws(CommandError) {
      do {
        record = try reader.next()
      } catch {
        throw .input(error.message)
      }
    }

    func text() throws(CommandError) -> [UInt8] {
      do {
        return try reader.text()
      } catch {
        throw .input(error.message)
      }
    }
  }

  /// The time after which a merge is announced, and the number of records between looks at the clock.
  private static let announcement = (delay: Duration.seconds(1), interval: 4096)

  /// The message that a merge prints when it takes longer than a second; `nil` for none.
  private var announcement: String?
  private let start = MonotonicTime.now
  private var count = 0
  private var sources: [Source] = []
  /// The sources that have a record, with its path: a binary heap by path, then by the order of the sources.
  private var heap: [(path: FilePath, source: Int)] = []
  private var files: [Int32] = []

  package init(announcing announcement: String? = nil) {
    self.announcement = announcement
  }

  deinit { for file in files { close(file) } }

  /// Adds an open output, which the merge closes; returns its descriptor.
  @discardableResult
  package mutating func add(
    _ file: consuming FileDescriptor, named name: String, damage: RecordReader.Damage = .fails
  ) throws(CommandError) -> Int32 {
    let number = file.release()
    files.append(number)
    try add(number, named: name, damage: damage)
    return number
  }

  /// Adds an open output, which the caller must keep open until the end of the merge.
  package mutating func add(
    _ file: Int32, named name: String, damage: RecordReader.Damage = .fails
  ) throws(CommandError) {
    sources.append(try Source(file, RecordReader(file, name: name, damage: damage)))
    guard let record = sources[sources.count - 1].record else { return }
    heap.append((record.path, sources.count - 1))
    var child = heap.count - 1
    while child > 0, precedes(child, (child - 1) / 2) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Returns to the first record of every output.
  package mutating func restart() throws(CommandError) {
    let old = sources
    (sources, heap) = ([], [])
    for source in old {
      try add(source.file, named: source.reader.name, damage: source.reader.damage)
    }
  }

  /// The only output that still has records, and the offset of its next record; `nil` if there are none or several.
  package var rest: (file: Int32, offset: Int)? {
    guard heap.count == 1, let record = sources[heap[0].source].record else { return nil }
    return (sources[heap[0].source].file, record.bounds.lowerBound)
  }

  /// Returns the next record without its line feed, or `nil` after the last.
  package mutating func next() throws(CommandError) -> (path: FilePath, text: [UInt8])? {
    count += 1
    if let announcement, count.isMultiple(of: Self.announcement.interval),
      MonotonicTime.now - start > Self.announcement.delay
    {
      StandardError.print(announcement)
      self.announcement = nil
    }
    guard let first = heap.first else { return nil }
    var best = try sources[first.source].text()
    try advanceFirst()
    while let other = heap.first, other.path.order(to: first.path) == 0 {
      let text = try sources[other.source].text()
      if text != best, RecordStamp.isLater(text, than: best) { best = text }
      try advanceFirst()
    }
    return (first.path, best)
  }

  /// Advances the source whose record is the first, and restores the order of the heap.
  private mutating func advanceFirst() throws(CommandError) {
    try sources[heap[0].source].advance()
    if let record = sources[heap[0].source].record {
      heap[0].path = record.path
    } else {
      heap[0] = heap[heap.count - 1]
      heap.removeLast()
    }
    var parent = 0
    while true {
      var first = parent
      for child in 2 * parent + 1...2 * parent + 2 where child < heap.count {
        if precedes(child, first) { first = child }
      }
      guard first != parent else { return }
      heap.swapAt(first, parent)
      parent = first
    }
  }

  /// Returns whether an element of the heap belongs before another.
  private func precedes(_ one: Int, _ other: Int) -> Bool {
    let order = heap[one].path.order(to: heap[other].path)
    return order < 0 || order == 0 && heap[one].source < heap[other].source
  }
}
