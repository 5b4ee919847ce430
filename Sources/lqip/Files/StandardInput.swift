/// Reads what comes on standard input.
package enum StandardInput {
  /// Reads up to the end, or as many bytes as there may be.
  package static func bytes(upTo maximum: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < maximum {
      let size = min(chunk.count, maximum - bytes.count)
      let count = try SystemError.check { unsafe read(STDIN_FILENO, &chunk, size) }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }
}
