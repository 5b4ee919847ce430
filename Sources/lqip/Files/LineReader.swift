/// Splits what comes from a descriptor into lines, holding little more than one of them.
package struct LineReader {
  /// Far above any path; a longer line is not a list of paths.
  private static let maximumLineLength = 1 << 20

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  package let terminator: UInt8
  /// How many lines have been read.
  package private(set) var count = 0
  /// Where the next bytes stand; nil for at the descriptor's own offset.
  private var position: Int?

  /// Starts at the descriptor's current offset; every line ends in the terminator.
  package init(_ descriptor: Int32, terminator: UInt8 = UInt8(ascii: "\n")) {
    self.descriptor = descriptor
    self.terminator = terminator
  }

  /// Starts at the descriptor's current offset, which is left alone; nil unless that is one of a file.
  package init?(ahead descriptor: Int32, terminator: UInt8 = UInt8(ascii: "\n")) {
    let offset = lseek(descriptor, 0, SEEK_CUR)
    guard offset >= 0, (try? FileStatus(of: descriptor))?.kind == .regular else { return nil }
    self.init(descriptor, terminator: terminator)
    position = Int(offset)
  }

  /// The next line without its terminator, or nil after the last.
  package mutating func next() throws(SystemError) -> [UInt8]? {
    while true {
      if let end = buffer[start...].firstIndex(of: terminator) {
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
    let chunk =
      if let position {
        try FileDescriptor.read(descriptor, at: position, upTo: 1 << 16)
      } else {
        try FileDescriptor.readNext(descriptor, upTo: 1 << 16)
      }
    isAtEnd = chunk.isEmpty
    position = position.map { $0 + chunk.count }
    buffer += chunk
  }
}
