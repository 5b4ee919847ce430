package import LqipSystem
import PlaceholderEncoding

/// Reads a sorted NDJSON output in constant memory.
@safe package struct RecordReader {
  /// The error for an output that cannot be read, with a message for the user.
  package struct ReadingError: Error {
    fileprivate enum Cause { case system, damage, invalidLine }

    package let message: String
    fileprivate let cause: Cause
  }

  /// The treatment of invalid lines.
  package enum Damage: Sendable {
    /// An invalid line is an error.
    case fails
    /// An invalid line ends the output, as in the draft of a killed run.
    case ends
    /// A line with control characters, as after a lost disk block, is reported and skipped. Any other is an error.
    case isSkipped
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
  private static let chunkLength = 1 << 16
  /// The bytes before the path, before the path in base64, and before the error code.
  private static let opening = Array(#"{"path":""#.utf8)
  private static let exactPath = Array(#","path_base64":"#.utf8)
  private static let error = Array(#","error":{"code":""#.utf8)
  /// The bytes after the path in a record of this program, besides ``error``.
  private static let mimeType = Array(#","mimetype":""#.utf8)

  private let descriptor: Int32
  /// The name of the file in messages.
  let name: String
  let damage: Damage
  /// The part of the file that contains the current line.
  private var window: [UInt8] = []
  /// The file offset of the window.
  private var offset = 0
  /// The current line as a range of the window, without its line feed.
  private var line = 0..<0
  private var lineNumber = 0
  private var isAtEnd = false
  private var path: FilePath?

  /// Creates a reader that starts at the beginning of an open file and does not change the file offset.
  package init(_ descriptor: Int32, name: String, damage: Damage = .fails) {
    self.descriptor = descriptor
    self.name = name
    self.damage = damage
  }

  /// Advances to the next record and returns it, or returns `nil` after the last.
  package mutating func next() throws(ReadingError) -> Record? {
    while true {
      do throws(ReadingError) {
        return try nextRecord()
      } catch {
        if damage == .ends, error.cause != .system { return nil }
        guard damage == .isSkipped, error.cause == .damage else { throw error }
        StandardError.print("\(error.message); the record is skipped")
      }
    }
  }

  private mutating func nextRecord() throws(ReadingError) -> Record? {
    guard !isAtEnd else { return nil }
    let start = lineNumber == 0 ? 0 : line.upperBound + 1
    line = start..<start
    lineNumber += 1
    guard let end = try lineEnd() else { return nil }
    line = line.lowerBound..<end
    // A loop without an exit is vectorized.
    guard window[line].reduce(UInt8.max, min) >= 0x20 || line.isEmpty else {
      throw invalid("damaged: not an lqip record, contains control characters", .damage)
    }
    guard !isAtEnd else { throw invalid("truncated record") }
    guard let (path, failure) = parseLine() else { throw invalid("not an lqip record") }
    if let last = self.path, !last.precedes(path) {
      throw invalid("not sorted by path: '\(path)' follows '\(last)'")
    }
    self.path = path
    return Record(
      bounds: offset + line.lowerBound..<offset + end + 1, path: path, failure: failure)
  }

  /// The bytes of the current record as this program writes it, without a line feed.
  package func text() throws(ReadingError) -> [UInt8] {
    let text = Array(window[line])
    guard !isOwn else { return text }
    guard let record = try? JSON(parsing: text) else { throw invalid("not an lqip record") }
    return RecordLayout.normalized(record).bytes
  }

  /// Whether the current line is written as this program writes most records: without escapes, spaces, `null`, whole
  /// numbers with a fraction, or members in another order.
  private var isOwn: Bool {
    guard
      let end = index(
        of: UInt8(ascii: "\""), from: line.lowerBound + Self.opening.count, to: line.upperBound),
      contains(Self.opening, at: line.lowerBound),
      contains(Self.mimeType, at: end + 1) || contains(Self.error, at: end + 1)
    else { return false }
    var (isInString, hasPoint, last) = (false, false, UInt8(0))
    for byte in window[line] {
      switch byte {
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "\\"): return false
      case UInt8(ascii: " "), UInt8(ascii: "n"): if !isInString { return false }
      case UInt8(ascii: "."): hasPoint = true
      case UInt8(ascii: ":"): hasPoint = false
      // The only numbers at the end of an object are shares, which have a fraction.
      case UInt8(ascii: "}"): if !isInString, !hasPoint, 0x30...0x39 ~= last { return false }
      case UInt8(ascii: "0"): if !isInString, last == UInt8(ascii: ".") { return false }
      default: break
      }
      last = byte
    }
    return true
  }

  /// The change time in the stamp of the current record; `nil` if it has no stamp.
  package var changeTime: Timestamp? { RecordStamp.changeTime(ofLine: Array(window[line])) }

  package func ends(in bytes: [UInt8]) -> Bool {
    line.count >= bytes.count && contains(bytes, at: line.upperBound - bytes.count)
  }

  private func contains(_ bytes: [UInt8], at position: Int) -> Bool {
    position <= line.upperBound && window[position..<line.upperBound].starts(with: bytes)
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
        throw ReadingError(message: "\(name): cannot read: \(error)", cause: .system)
      }
      guard !chunk.isEmpty else {
        isAtEnd = true
        return window.isEmpty ? nil : window.count
      }
      window += chunk
    }
  }

  private func invalid(_ reason: String, _ cause: ReadingError.Cause = .invalidLine) -> ReadingError
  {
    ReadingError(message: "\(name), line \(lineNumber): \(reason)", cause: cause)
  }

  /// Parses the path and the error code of the current line; returns `nil` if the line is not a record.
  private func parseLine() -> (FilePath, RecordFailure.Code?)? {
    let start = line.lowerBound + Self.opening.count
    // Fast path: most paths contain no escapes.
    guard contains(Self.opening, at: line.lowerBound),
      let end = index(of: UInt8(ascii: "\""), from: start, to: line.upperBound),
      window[line.upperBound - 1] == UInt8(ascii: "}"),
      index(of: UInt8(ascii: "\\"), from: start, to: end + 1) == nil,
      !contains(Self.exactPath, at: end + 1)
    else {
      guard let record = try? JSON(parsing: Array(window[line])),
        let path = RecordPath.path(in: record)
      else { return nil }
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
