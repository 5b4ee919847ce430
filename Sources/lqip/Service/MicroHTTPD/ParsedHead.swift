/// A strict check of a request head that libmicrohttpd has already parsed in place.
///
/// Versions of the library before 0.9.77.1 accept heads that violate RFC 9112: lines that end in LF alone, fields
/// without a name (which end the head), folded fields and NULs. Other parsers interpret these heads differently. The
/// library has replaced each colon, CR and LF with a NUL; the positions of the NULs are enough to detect the
/// violations.
enum ParsedHead {
  /// Returns whether every parser finds the same fields in the head, which begins with the method.
  static func isStrict(_ head: Span<UInt8>, targetRange: Range<Int>, versionOffset: Int) -> Bool {
    var position = 0
    /// Consumes allowed bytes, but never the last byte of the head, and returns their number.
    func take(_ isAllowed: (UInt8) -> Bool) -> Int {
      let start = position
      while position + 1 < head.count, isAllowed(head[position]) { position += 1 }
      return position - start
    }
    /// Consumes the two NULs that have replaced CR and LF; returns false for other bytes.
    func takeLineEnd() -> Bool {
      let start = position
      position += 2
      return position <= head.count && head[start] == 0 && head[start + 1] == 0
    }
    // Exactly one space separates the method, the target and the version.
    guard take(RequestFraming.isTokenByte) > 0, position + 1 == targetRange.lowerBound,
      targetRange.upperBound + 1 == versionOffset
    else { return false }
    position = versionOffset + "HTTP/1.1".utf8.count
    guard takeLineEnd() else { return false }
    while position + 2 < head.count {
      // A NUL has replaced the colon.
      guard take(RequestFraming.isTokenByte) > 0, head[position] == 0 else { return false }
      position += 1
      _ = take(RequestFraming.isPlainByte)
      guard takeLineEnd() else { return false }
    }
    return takeLineEnd() && position == head.count
  }
}
