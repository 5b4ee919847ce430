/// Reads parts of a file that are mostly wanted in the order in which they stand there, many with one
/// call of the system.
package final class FileWindow: Sendable {
  private struct State {
    var offset = 0
    var bytes: [UInt8] = []
    /// Where the last part ended.
    var end = 0
  }

  private static let byteCount = 1 << 16
  /// What may lie between two parts that follow one another.
  private static let gap = 16

  private let descriptor: Int32
  private let state = Monitor(State())

  /// Prepares to read an open file, which has to stay open and as it is.
  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Reads a part.
  ///
  /// - Returns: The bytes; nil if they are not all there.
  /// - Throws: The system's error if they cannot be read.
  package func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8]? {
    try state.withLock { state throws(SystemError) in
      let isNext = 0...Self.gap ~= offset - state.end
      state.end = offset + count
      if !(offset >= state.offset && offset + count <= state.offset + state.bytes.count) {
        let length = isNext ? max(count, Self.byteCount) : count
        let bytes = try FileDescriptor.read(descriptor, at: offset, upTo: length)
        guard bytes.count >= count else { return nil }
        guard isNext else { return bytes }
        (state.offset, state.bytes) = (offset, bytes)
      }
      let start = offset - state.offset
      return Array(state.bytes[start..<start + count])
    }
  }
}
