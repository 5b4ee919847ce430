/// Reads lines from a descriptor in constant memory.
package struct LineReader {
  /// The number of bytes of an incomplete line at which reading fails with `SystemError.nameTooLong`.
  ///
  /// No path is this long.
  private static let maximumLineLength = 1 << 20

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// The position of the next line in `buffer`.
  private var start = 0
  private var isAtEnd = false
  /// The line terminator; `nil` until it is detected.
  package private(set) var terminator: UInt8?
  /// The number of lines read so far.
  package private(set) var count = 0
  private var readByteCount = 0
  /// The file's size in bytes; `nil` if the input is not a regular file.
  private let byteCount: Int?

  /// Creates a reader that starts at the descriptor's current offset.
  ///
  /// Without a terminator, it is detected: a zero byte if the first chunk with either contains one, otherwise a line feed.
  package init(_ descriptor: Int32, terminator: UInt8? = UInt8(ascii: "\n")) {
    self.descriptor = descriptor
    self.terminator = terminator
    let status = try? FileStatus(of: descriptor)
    byteCount = status?.kind == .regular ? status?.byteCount : nil
  }

  /// The fraction of the file that has been consumed, 0...1; `nil` if the size is unknown.
  package var fraction: Double? {
    byteCount.map { min(1, Double(readByteCount - (buffer.count - start)) / Double(max(1, $0))) }
  }

  /// Returns the next line without its terminator, or `nil` after the last.
  package mutating func next() throws(SystemError) -> [UInt8]? {
    if terminator == nil {
      repeat {
        try fill()
      } while !isAtEnd && !buffer.contains { $0 == 0 || $0 == UInt8(ascii: "\n") }
      terminator = buffer.contains(0) ? 0 : UInt8(ascii: "\n")
    }
    while true {
      let end = terminator.flatMap { buffer[start...].firstIndex(of: $0) }
      if end != nil || isAtEnd {
        guard start < buffer.endIndex else { return nil }
        let line = buffer[start..<(end ?? buffer.endIndex)]
        start = min(line.endIndex + 1, buffer.endIndex)
        count += 1
        return Array(line)
      }
      try fill()
    }
  }

  private mutating func fill() throws(SystemError) {
    buffer.removeFirst(start)
    start = 0
    guard buffer.count < Self.maximumLineLength else { throw .nameTooLong }
    let chunk = try FileDescriptor.readNext(descriptor, upTo: 1 << 16)
    isAtEnd = chunk.isEmpty
    readByteCount += chunk.count
    buffer += chunk
  }
}
