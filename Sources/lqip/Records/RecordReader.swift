package import LqipFiles

/// Reads the entries of an earlier output, be it finished or not, holding no more than a window of it.
///
/// The output has to begin as one of the same layout does; if not, there are no entries. What is in
/// it but is no entry is passed over, as is a last one that nothing follows: it may be torn.
package struct RecordReader {
  /// An entry and where it stands in the file.
  package struct Entry: Hashable, Sendable {
    package let offset: Int
    package let byteCount: Int
    package let key: RecordKey
  }

  /// Far above any entry for a path that a system takes; what is longer ends the reading.
  private static let maximumEntryLength = 1 << 20
  private static let chunkLength = 1 << 16

  private let descriptor: Int32
  private let layout: RecordLayout
  private var window: [UInt8] = []
  /// Where the window begins in the file.
  private var offset = 0
  /// Where the next line begins in the window.
  private var start = 0
  private var isAtEnd = false

  /// Starts to read an open file from its beginning, which leaves its own offset alone.
  package init(_ descriptor: Int32, _ layout: RecordLayout) throws(SystemError) {
    self.descriptor = descriptor
    self.layout = layout
    try fill()
    start = layout.opening.count
    if !window.starts(with: layout.opening) { (start, window, isAtEnd) = (0, [], true) }
  }

  /// The next entry, or nil after the last.
  package mutating func next() throws(SystemError) -> Entry? {
    while let line = try nextLine() {
      let bounds = entry(in: line)
      if let key = RecordKey(parsing: window, bounds, layout) {
        return Entry(offset: offset + bounds.lowerBound, byteCount: bounds.count, key: key)
      }
    }
    return nil
  }

  /// Reads a part of an open file, such as an entry that is to be used again.
  ///
  /// - Parameters:
  ///   - descriptor: The file, whose own offset is left alone.
  ///   - offset: Where the part begins.
  ///   - byteCount: How long it is.
  /// - Returns: The bytes, fewer where the file ends.
  /// - Throws: The system's error if the file cannot be read.
  package static func bytes(
    of descriptor: Int32, at offset: Int, byteCount: Int
  ) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    let count = try SystemError.check {
      unsafe pread(descriptor, &bytes, byteCount, off_t(offset))
    }
    return Array(bytes.prefix(count))
  }

  /// The next line without its newline, in the window; nil after the last that has one.
  private mutating func nextLine() throws(SystemError) -> Range<Int>? {
    while true {
      if let end = lineEnd {
        defer { start = end + 1 }
        return start..<end
      }
      guard !isAtEnd, window.count - start < Self.maximumEntryLength else { return nil }
      try fill()
    }
  }

  /// The next newline, of which a cell in quotes may contain some that end no line.
  private var lineEnd: Int? {
    let hasCells = layout.format == .csv
    var isQuoted = false
    return window[start...].firstIndex { byte in
      if hasCells, byte == CSV.quote { isQuoted.toggle() }
      return byte == UInt8(ascii: "\n") && !isQuoted
    }
  }

  /// A line without what separates its entry from the next.
  private func entry(in line: Range<Int>) -> Range<Int> {
    let separator: UInt8? =
      switch layout.format {
      case .ndjson: nil
      case .json: UInt8(ascii: ",")
      case .csv: UInt8(ascii: "\r")
      }
    return line.isEmpty || window[line.upperBound - 1] != separator ? line : line.dropLast()
  }

  private mutating func fill() throws(SystemError) {
    window.removeFirst(start)
    offset += start
    start = 0
    let end = offset + window.count
    let chunk = try Self.bytes(of: descriptor, at: end, byteCount: Self.chunkLength)
    isAtEnd = chunk.isEmpty
    window += chunk
  }
}
