/// Reads the head of a request again that libmicrohttpd has taken apart where it lies.
///
/// Before version 0.9.77.1 the library accepts what RFC 9112 does not: a line that ends in LF alone, a
/// field without a name, which ends the head, a field that goes on in the next line, a NUL. Other
/// readers see other requests in that. The library has put a NUL in place of each colon and of each
/// CR and LF, and that leaves enough to tell.
enum ParsedHead {
  private static let versionByteCount = "HTTP/1.1".utf8.count

  /// Whether every reader finds the same fields in the head.
  ///
  /// - Parameters:
  ///   - head: The head, from the method to the end of the empty line.
  ///   - targetRange: Where in it the target stood as it was sent.
  ///   - versionOffset: Where in it the version stands.
  /// - Returns: Whether they do.
  static func isStrict(
    _ head: Span<UInt8>, targetRange: Range<Int>, versionOffset: Int
  ) -> Bool {
    var position = 0
    guard takeText(in: head, at: &position, where: RequestFraming.isTokenByte) > 0,
      // In place of the spaces.
      position + 1 == targetRange.lowerBound, targetRange.upperBound + 1 == versionOffset
    else { return false }
    position = versionOffset + versionByteCount
    guard takeLineEnd(in: head, at: &position) else { return false }
    while position + 2 < head.count {
      guard takeText(in: head, at: &position, where: RequestFraming.isTokenByte) > 0,
        // In place of the colon.
        head[position] == 0
      else { return false }
      position += 1
      _ = takeText(in: head, at: &position, where: RequestFraming.isPlainByte)
      guard takeLineEnd(in: head, at: &position) else { return false }
    }
    return takeLineEnd(in: head, at: &position) && position == head.count
  }

  /// Takes the two bytes that were CR and LF.
  private static func takeLineEnd(in head: Span<UInt8>, at position: inout Int) -> Bool {
    guard position + 1 < head.count, head[position] == 0, head[position + 1] == 0 else {
      return false
    }
    position += 2
    return true
  }

  /// Takes bytes of a kind, and tells how many there are; some byte follows them.
  private static func takeText(
    in head: Span<UInt8>, at position: inout Int, where isAllowed: (UInt8) -> Bool
  ) -> Int {
    let start = position
    while position + 1 < head.count, isAllowed(head[position]) { position += 1 }
    return position - start
  }
}
