package import LqipSystem

/// Reads a sorted NDJSON output in constant memory.
@safe package struct RecordReader {
  /// The error for an output that cannot be read, with a message for the user.
  package struct ReadingError: Error {
    package let message: String
    /// Whether a line is not a complete record, or is not in order.
    let isInvalid: Bool
  }

  /// The position, path and error code of one record.
  package struct Record: Hashable, Sendable {
    /// The byte range of the line in the file, including its line feed.
    package let bounds: Range<Int>
    package let path: FilePath
    /// The error code; `nil` for an encoded image.
    package let failure: RecordFailure.Code?
  }

  /// The maximum line length in bytes, far above the length of any record.
  private static let maximumLength = 1 << 20
  private static let chunkLength = 1 << 18
  /// The bytes before the path, before the path in base64, and before the error code.
  private static let opening = Array(#"{"path":""#.utf8)
  private static let exactPath = Array(#","path_base64":"#.utf8)
  private static let error = Array(#","error":{"code":""#.utf8)

  private let descriptor: Int32
  /// The name of the file in messages.
  private let name: String
  /// The part of the file that contains the current line.
  private var window: [UInt8] = []
  /// The file offset of the window.
  private var offset = 0
  /// The current line as a range of the window, without its line feed.
  private var line = 0..<0
  private var lineNumber = 0
  private var path: FilePath?

  /// Creates a reader that starts at the beginning of an open file and does not change the file offset.
  package init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Advances to the next record and returns it, or returns `nil` after the last.
  package mutating func next() throws(ReadingError) -> Record? {
    let start = lineNumber == 0 ? 0 : line.upperBound + 1
    line = start..<start
    lineNumber += 1
    guard let end = try lineEnd() else { return nil }
    line = line.lowerBound..<end
    guard let (path, failure) = parseLine() else { throw invalid("not an lqip record") }
    if let last = self.path, !last.precedes(path) {
      throw invalid("not sorted by path: '\(path)' follows '\(last)'")
    }
    self.path = path
    return Record(
      bounds: offset + line.lowerBound..<offset + end + 1, path: path, failure: failure)
  }

  /// The bytes of the current line, without its line feed.
  package var text: [UInt8] {
    Array(window[line])
  }

  package func ends(in bytes: [UInt8]) -> Bool {
    line.count >= bytes.count && contains(bytes, at: line.upperBound - bytes.count)
  }

  private func contains(_ bytes: [UInt8], at position: Int) -> Bool {
    window[position..<line.upperBound].starts(with: bytes)
  }

  /// Returns the first index of a byte in a range of the window, or `nil` if the range does not contain the byte.
  private func index(of byte: UInt8, from position: Int, to end: Int) -> Int? {
    unsafe window.withUnsafeBufferPointer { window in
      guard let start = window.baseAddress, position < end,
        let found = unsafe memchr(start + position, Int32(byte), end - position)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }
  }

  /// Returns the end of the current line in the window, or `nil` at the end of the file; reads the file as necessary.
  private mutating func lineEnd() throws(ReadingError) -> Int? {
    var searched = line.lowerBound
    while true {
      if let end = index(of: UInt8(ascii: "\n"), from: searched, to: window.count) { return end }
      guard window.count - line.lowerBound < Self.maximumLength else {
        throw invalid("not an lqip record")
      }
      window.removeFirst(line.lowerBound)
      offset += line.lowerBound
      line = 0..<0
      searched = window.count
      let chunk: [UInt8]
      do {
        chunk = try FileDescriptor.read(
          descriptor, at: offset + window.count, upTo: Self.chunkLength)
      } catch {
        throw ReadingError(message: "\(name): cannot read: \(error)", isInvalid: false)
      }
      guard !chunk.isEmpty else {
        guard window.isEmpty else { throw invalid("truncated record") }
        return nil
      }
      window += chunk
    }
  }

  private func invalid(_ reason: String) -> ReadingError {
    ReadingError(message: "\(name), line \(lineNumber): \(reason)", isInvalid: true)
  }

  /// Parses the path and the error code of the current line; returns `nil` if the line is not a record.
  private func parseLine() -> (FilePath, RecordFailure.Code?)? {
    let start = line.lowerBound + Self.opening.count
    guard contains(Self.opening, at: line.lowerBound),
      let end = index(of: UInt8(ascii: "\""), from: start, to: line.upperBound),
      window[line.upperBound - 1] == UInt8(ascii: "}")
    else { return nil }
    // Fast path: most paths contain no escapes.
    guard index(of: UInt8(ascii: "\\"), from: start, to: end + 1) == nil,
      !contains(Self.exactPath, at: end + 1)
    else {
      guard let record = try? JSON(parsing: text), let path = RecordPath.path(in: record) else {
        return nil
      }
      return (path, record["error"]?["code"]?.text.flatMap(RecordFailure.Code.init(rawValue:)))
    }
    var failure: RecordFailure.Code?
    if contains(Self.error, at: end + 1) {
      let code = window[end + 1 + Self.error.count..<line.upperBound].prefix {
        $0 != UInt8(ascii: "\"")
      }
      failure = RecordFailure.Code(rawValue: String(decoding: code, as: UTF8.self))
    }
    return (FilePath(Array(window[start..<end])), failure)
  }
}

/// Merges sorted outputs by path.
///
/// Of several records with the same path, the one with the latest change time in its stamp wins. On a tie, the first
/// output wins.
package struct RecordMerge: ~Copyable {
  private struct Source {
    var reader: RecordReader
    var record: RecordReader.Record?
    /// Whether to treat an invalid record as the end of the output, as in the draft of a killed run.
    let isDraft: Bool

    mutating func advance() throws(CommandError) {
      do {
        record = try reader.next()
      } catch {
        guard isDraft, error.isInvalid else { throw .input(error.message) }
        record = nil
      }
    }
  }

  private var sources: [Source] = []
  private var files: [Int32] = []

  package init() {}

  deinit { for file in files { close(file) } }

  package mutating func add(_ path: FilePath) throws(CommandError) {
    files.append(
      try CommandError.catching({ .input("\(path): cannot read: \($0)") }) {
        try FileDescriptor(opening: path, O_RDONLY).release()
      })
    try add(files[files.count - 1], named: "\(path)")
  }

  /// Adds an open output, which the caller must keep open until the end of the merge; an invalid record ends a draft.
  package mutating func add(
    _ file: Int32, named name: String, isDraft: Bool = false
  ) throws(CommandError) {
    var source = Source(reader: RecordReader(file, name: name), isDraft: isDraft)
    try source.advance()
    sources.append(source)
  }

  /// Returns the next record without its line feed, or `nil` after the last.
  package mutating func next() throws(CommandError) -> (path: FilePath, text: [UInt8])? {
    var first: FilePath?
    for source in sources {
      guard let path = source.record?.path else { continue }
      if first.map({ path.precedes($0) }) ?? true { first = path }
    }
    guard let first else { return nil }
    let earliest = Timestamp(seconds: .min, nanoseconds: 0)
    var best: (text: [UInt8], changed: Timestamp)?
    for index in sources.indices where sources[index].record?.path == first {
      let text = sources[index].reader.text
      // With a single output, there is nothing to compare.
      let changed = sources.count > 1 ? RecordStamp.changeTime(ofLine: text) ?? earliest : earliest
      if best.map({ $0.changed.precedes(changed) }) ?? true { best = (text, changed) }
      try sources[index].advance()
    }
    return best.map { (first, $0.text) }
  }
}
