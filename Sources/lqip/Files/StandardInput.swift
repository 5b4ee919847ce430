/// Reads what comes on standard input.
package enum StandardInput {
  /// Reads up to the end, or as many bytes as there may be.
  package static func bytes(upTo maximum: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < maximum {
      let size = min(1 << 16, maximum - bytes.count)
      let chunk = try FileDescriptor.readNext(STDIN_FILENO, upTo: size)
      guard !chunk.isEmpty else { break }
      bytes += chunk
    }
    return bytes
  }
}
