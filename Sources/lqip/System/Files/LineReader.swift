/// Splits what comes from a descriptor into lines, holding little more than one of them.
package struct LineReader {
  /// Far above any path; a longer line is not a list of paths.
  private static let maximumLineLength = 1 << 20

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  /// What ends a line; `nil` until that is known.
  package private(set) var terminator: UInt8?
  /// How many lines have been read.
  package private(set) var count = 0
  private var readByteCount = 0
  /// The size of what is read, if it is a file.
  private let byteCount: Int?

  /// Starts at the descriptor's current offset.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to read from.
  ///   - terminator: What ends a line; `nil` for a zero byte if the beginning has one, else a line feed.
  package init(_ descriptor: Int32, terminator: UInt8? = UInt8(ascii: "\n")) {
    self.descriptor = descriptor
    self.terminator = terminator
    let status = try? FileStatus(of: descriptor)
    byteCount = status?.kind == .regular ? status?.byteCount : nil
  }

  /// The part of a file that has been taken, 0...1; `nil` where the end is unknown.
  package var fraction: Double? {
    byteCount.map { min(1, Double(readByteCount - (buffer.count - start)) / Double(max(1, $0))) }
  }

  /// The next line without its terminator, or nil after the last.
  package mutating func next() throws(SystemError) -> [UInt8]? {
    if terminator == nil {
      try fill()
      terminator = buffer.contains(0) ? 0 : UInt8(ascii: "\n")
    }
    while true {
      if let terminator, let end = buffer[start...].firstIndex(of: terminator) {
        defer { start = end + 1 }
        count += 1
        return Array(buffer[start..<end])
      }
      guard !isAtEnd else {
        guard start < buffer.endIndex else { return nil }
        defer { start = buffer.endIndex }
        count += 1
        return Array(buffer[start...])
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
