import LqipSystem

/// Strict request validation, to prevent request smuggling.
///
/// If two HTTP parsers disagree about the end of a request, an attacker can hide a second request from one of them. RFC
/// 9112 is therefore applied strictly: an ambiguous request is rejected with status 400, and its connection is closed.
enum RequestFraming {
  /// The framing of a request body.
  enum Body: Hashable, Sendable {
    /// A `POST` without a length, whose client may have forgotten it: RFC 9112 implies no body.
    case unstated
    case length(Int)
    case chunked
  }

  /// Validates a request head and returns the framing of the body.
  ///
  /// - Throws: The problem to respond with if the head is invalid.
  static func body(of head: RequestHead) throws(Problem) -> Body {
    guard head.target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !head.target.includes("%00")
    else { throw .malformed("the request target contains invalid characters") }
    // Only proxies receive the absolute form.
    guard head.target.hasPrefix("/"), !head.target.contains("#") else {
      throw .malformed("the request target must be a path without a fragment")
    }
    guard isToken(head.method),
      head.fields.allSatisfy({ isToken($0.name) && $0.value.utf8.allSatisfy(isPlainByte) })
    else { throw .malformed("the method or a header field contains invalid characters") }
    let isHTTP11 = head.version != "HTTP/1.0"
    let hosts = head.values("host")
    guard hosts.count == 1 || (hosts.isEmpty && !isHTTP11) else {
      throw .malformed("exactly one Host field is required")
    }
    guard hosts.allSatisfy(isHost) else {
      throw .malformed("the Host field must be HOST or HOST:PORT")
    }
    let lengths = head.values("content-length")
    let codings = head.values("transfer-encoding")
    let body: Body
    switch (lengths.count, codings.count) {
    case (0, 0): body = head.method == "POST" ? .unstated : .length(0)
    case (1, 0):
      guard !lengths[0].isEmpty, lengths[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw .malformed("invalid Content-Length; expected a number")
      }
      body = .length(Int(lengths[0]) ?? .max)
    case (0, 1):
      guard isHTTP11, codings[0].lowercased() == "chunked" else {
        throw .malformed("unsupported transfer coding; only 'chunked' with HTTP/1.1 is supported")
      }
      body = .chunked
    default:
      throw .malformed(
        "conflicting body lengths; send either one Content-Length or one Transfer-Encoding field")
    }
    // HTTP/1.0 does not define `Expect`, so the field is ignored.
    guard !isHTTP11 || head.values("expect").allSatisfy({ $0.lowercased() == "100-continue" })
    else {
      throw Problem(
        status: 417, code: "expectation_failed",
        detail: "unsupported expectation; use 100-continue")
    }
    return body
  }

  /// Returns whether a string is empty, `HOST` or `HOST:PORT`.
  ///
  /// User names and percent escapes are rejected, because parsers interpret them differently.
  private static func isHost(_ text: String) -> Bool {
    let isLiteral = text.hasPrefix("[")
    // A comma would combine two fields.
    let others = isLiteral ? ":." : "-._~!$&'()*+;="
    var rest = text.utf8.dropFirst(isLiteral ? 1 : 0)
    let host = rest.prefix { $0.isASCIIAlphanumeric || others.utf8.contains($0) }
    rest = rest.dropFirst(host.count)
    if isLiteral, rest.popFirst() != UInt8(ascii: "]") { return false }
    return text.isEmpty
      || !host.isEmpty && (rest.isEmpty || rest.first == UInt8(ascii: ":"))
        && rest.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
  }

  /// Returns whether a byte is allowed in a `token` as defined by RFC 9110.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Returns whether a byte is allowed in a field value.
  static func isPlainByte(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 0x09
  }
}
