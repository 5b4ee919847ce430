package import LqipFiles

/// Reads the entries of an earlier output, be it finished or not, holding no more than a window of it.
///
/// The output tells its form by its beginning. What tools such as `jq` make of it is read too: other
/// line ends, white space, records of several lines.
package struct RecordReader {
  /// An entry and where it stands in the file.
  package struct Entry: Hashable, Sendable {
    package let offset: Int
    package let byteCount: Int
    package let path: FilePath
    /// The number of its first line.
    package let line: Int
  }

  /// What comes next in the file.
  package enum Piece: Hashable, Sendable {
    case entry(Entry)
    /// Lines that are no entry, the first by its number.
    case rejected(line: Int, Range<Int>)
  }

  /// Far above any entry for a path that a system takes; what is longer is none.
  private static let maximumEntryLength = 1 << 20
  private static let chunkLength = 1 << 18

  private let descriptor: Int32
  /// How the entries are written; nil if the file is no output of this program.
  package let form: RecordForm?
  private var window: [UInt8] = []
  /// Where the window begins in the file.
  private var offset = 0
  /// Where the next line begins in the window.
  private var start = 0
  private var line = 1
  private var isAtEnd = false

  /// Starts to read an open file from its beginning, which leaves its own offset alone.
  package init(_ descriptor: Int32) throws(SystemError) {
    self.descriptor = descriptor
    window = try FileDescriptor.read(descriptor, at: 0, upTo: Self.chunkLength)
    let detected = RecordForm.detect(window)
    form = detected?.form
    start = detected?.start ?? 0
    line += window[..<start].count { $0 == UInt8(ascii: "\n") }
  }

  /// The next piece, or nil after the last.
  package mutating func next() throws(SystemError) -> Piece? {
    guard let form else { return nil }
    while let text = try nextText(of: form) {
      guard text.isComplete else { return .rejected(line: text.line, text.bounds) }
      let bounds = trimmed(text.bounds.shifted(by: -offset), form)
      guard !bounds.isEmpty, !(form.format == .json && isClosing(bounds)) else { continue }
      guard let path = Self.path(in: window, bounds, form) else {
        return .rejected(line: text.line, text.bounds)
      }
      return .entry(
        Entry(
          offset: offset + bounds.lowerBound, byteCount: bounds.count, path: path, line: text.line))
    }
    return nil
  }

  /// The bytes of the entry that came last.
  package func text(of entry: Entry) -> [UInt8] {
    let start = entry.offset - offset
    return Array(window[start..<start + entry.byteCount])
  }

  /// The path of an entry; nil if the text is none.
  private static func path(
    in text: [UInt8], _ bounds: Range<Int>, _ form: RecordForm
  ) -> FilePath? {
    if let path = plainPath(in: text, bounds, form) { return path }
    return RecordKey(parsing: text, bounds, form, allowsSpace: true)?.path
  }

  /// The path of an entry that begins with it, written as it is; the rest is read when it is wanted.
  private static func plainPath(
    in text: [UInt8], _ bounds: Range<Int>, _ form: RecordForm
  ) -> FilePath? {
    guard form.format != .csv, text[bounds.upperBound - 1] == UInt8(ascii: "}") else { return nil }
    let (opening, closing) = form.format == .json ? memberMarks : objectMarks
    guard text[bounds].starts(with: opening) else { return nil }
    let start = bounds.lowerBound + opening.count
    var end = start
    while end < bounds.upperBound, 0x20..<0x7F ~= text[end], text[end] != 0x22, text[end] != 0x5C {
      end += 1
    }
    let rest = text[end..<bounds.upperBound]
    guard rest.starts(with: closing), !rest.dropFirst(closing.count).starts(with: exactPathMark),
      !text[start..<end].starts(with: exactKeyMark)
    else { return nil }
    return FilePath(Array(text[start..<end]))
  }

  private static let objectMarks = (Array(#"{"path":""#.utf8), Array(#"",""#.utf8))
  private static let memberMarks = (Array(#"""#.utf8), Array(#"":{""#.utf8))
  private static let exactPathMark = Array("path_base64".utf8)
  private static let exactKeyMark = Array("base64:".utf8)

  /// Whether this is what an object of entries ends with.
  private func isClosing(_ bounds: Range<Int>) -> Bool {
    bounds.count == 1 && window[bounds.lowerBound] == UInt8(ascii: "}")
  }

  /// Leaves out the end of the line, and what may surround an object.
  private func trimmed(_ text: Range<Int>, _ form: RecordForm) -> Range<Int> {
    var (lower, upper) = (text.lowerBound, text.upperBound)
    if lower < upper, window[upper - 1] == UInt8(ascii: "\n") { upper -= 1 }
    if lower < upper, window[upper - 1] == UInt8(ascii: "\r") { upper -= 1 }
    guard form.format != .csv else { return lower..<upper }
    while lower < upper, isBlank(lower) { lower += 1 }
    while lower < upper, isBlank(upper - 1) { upper -= 1 }
    if lower < upper, form.format == .json, window[upper - 1] == UInt8(ascii: ",") { upper -= 1 }
    return lower..<upper
  }

  private func isBlank(_ position: Int) -> Bool {
    window[position] == 0x20 || window[position] == 0x09 || window[position] == 0x0D
  }
}

extension RecordReader {
  /// The lines of one piece, in the file.
  private struct Text {
    let bounds: Range<Int>
    let line: Int
    /// Whether it is not too long to be held, and ends if it has to.
    let isComplete: Bool
  }

  private mutating func nextText(of form: RecordForm) throws(SystemError) -> Text? {
    let first = line
    guard let end = try textEnd(of: form) else { return nil }
    guard end <= window.count else { return try skipLine() }
    let isWhole = window[end - 1] == UInt8(ascii: "\n")
    let bounds = (offset + start)..<(offset + end)
    while start < end, let newline = newline(from: start), newline < end {
      line += 1
      start = newline + 1
    }
    start = end
    // A row without its end may be torn, and look whole.
    return Text(bounds: bounds, line: first, isComplete: isWhole || form.format != .csv)
  }

  /// Where the next piece ends in the window; beyond it if it is too long; nil at the end.
  private mutating func textEnd(of form: RecordForm) throws(SystemError) -> Int? {
    while true {
      let end = form.format == .csv ? rowEnd : objectEnd
      if let end { return end }
      guard !isAtEnd else { return start < window.count ? lineEnd(after: start) : nil }
      guard window.count - start < Self.maximumEntryLength else {
        return lineEnd(after: start) ?? window.count + 1
      }
      try fill()
    }
  }

  /// The end of a row, whose cells in quotes may contain ends of lines.
  private var rowEnd: Int? {
    var isQuoted = false
    let end = window[start...].firstIndex { byte in
      if byte == CSV.quote { isQuoted.toggle() }
      return byte == UInt8(ascii: "\n") && !isQuoted
    }
    return end.map { $0 + 1 }
  }

  /// The end of a line, or of the lines from one that opens an object to the one that closes it.
  private var objectEnd: Int? {
    guard let end = newline(from: start) else { return nil }
    let last = window[start..<end].last { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }
    guard last == UInt8(ascii: "{") else { return end + 1 }
    let indent = window[start..<end].prefix { $0 == 0x20 || $0 == 0x09 }
    let closing = Array(indent) + [UInt8(ascii: "}")]
    var next = end + 1
    // Lines that belong to the object are indented more than it is.
    if next + indent.count < window.count, !isBlank(next + indent.count),
      window[next + indent.count] != closing.last
    {
      return next
    }
    while let end = newline(from: next) {
      if window[next..<end].starts(with: closing) { return end + 1 }
      next = end + 1
    }
    return nil
  }

  private func lineEnd(after position: Int) -> Int? {
    newline(from: position).map { $0 + 1 } ?? (isAtEnd ? window.count : nil)
  }

  private func newline(from position: Int) -> Int? {
    unsafe window.withUnsafeBufferPointer { window in
      guard position < window.count, let base = window.baseAddress,
        let found = unsafe memchr(base + position, 0x0A, window.count - position)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }

  /// Passes over a line that is too long to be held.
  private mutating func skipLine() throws(SystemError) -> Text {
    let (first, from) = (line, offset + start)
    while true {
      if let end = newline(from: start) {
        start = end + 1
        line += 1
        break
      }
      start = window.count
      guard !isAtEnd else { break }
      try fill()
    }
    return Text(bounds: from..<(offset + start), line: first, isComplete: false)
  }

  private mutating func fill() throws(SystemError) {
    window.removeFirst(start)
    offset += start
    start = 0
    let end = offset + window.count
    let chunk = try FileDescriptor.read(descriptor, at: end, upTo: Self.chunkLength)
    isAtEnd = chunk.isEmpty
    window += chunk
  }
}

extension Range<Int> {
  fileprivate func shifted(by distance: Int) -> Range<Int> {
    (lowerBound + distance)..<(upperBound + distance)
  }
}
