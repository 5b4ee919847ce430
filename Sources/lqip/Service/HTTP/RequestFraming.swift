import LqipSystem

/// Strict request validation, to prevent request smuggling.
///
/// If two HTTP parsers disagree about the end of a request, an attacker can hide a second request
/// after it. RFC 9112 is therefore applied strictly: an ambiguous request gets status 400, and its
/// connection is closed.
enum RequestFraming {
  /// The framing of a request body.
  enum Body: Hashable, Sendable {
    /// A `POST` without `Content-Length` or `Transfer-Encoding`.
    ///
    /// According to RFC 9112 it has no body, but the client may have forgotten the length.
    case unstated
    case length(Int)
    case chunked
  }

  /// Validates a request head and determines the framing of the body.
  ///
  /// - Parameters:
  ///   - method: The method as sent.
  ///   - target: The request target as sent.
  ///   - version: The version as sent, such as `HTTP/1.1`.
  ///   - fields: The header fields, with names in lower case.
  /// - Returns: The framing of the body.
  /// - Throws: The problem to respond with if the head is invalid.
  static func body(
    method: String, target: String, version: String, fields: [HeaderField]
  ) throws(Problem) -> Body {
    func values(_ name: String) -> [String] {
      fields.filter { $0.name == name }.map(\.value)
    }
    guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !target.includes("%00") else {
      throw .malformed("the request target contains invalid characters")
    }
    // Only proxies receive the absolute form.
    guard target.hasPrefix("/") || target == "*", !target.contains("#") else {
      throw .malformed("the request target must be a path without a fragment")
    }
    guard isToken(method), fields.allSatisfy({ isToken($0.name) && isPlain($0.value) }) else {
      throw .malformed("the method or a header field contains invalid characters")
    }
    let isHTTP11 = version != "HTTP/1.0"
    let hosts = values("host")
    guard hosts.count == 1 || (hosts.isEmpty && !isHTTP11) else {
      throw .malformed("exactly one Host field is required")
    }
    guard hosts.allSatisfy(isHost) else {
      throw .malformed("the Host header must be HOST or HOST:PORT")
    }
    let lengths = values("content-length")
    let codings = values("transfer-encoding")
    let body: Body
    switch (lengths.count, codings.count) {
    case (0, 0): body = method == "POST" ? .unstated : .length(0)
    case (1, 0): body = try length(lengths[0])
    case (0, 1):
      guard isHTTP11, codings[0].lowercased() == "chunked" else {
        throw .malformed("unsupported transfer coding; use chunked over HTTP/1.1")
      }
      body = .chunked
    default:
      throw .malformed("conflicting body lengths; send one Content-Length or Transfer-Encoding")
    }
    // HTTP/1.0 does not define `Expect`, so the field is ignored.
    guard !isHTTP11 || values("expect").allSatisfy({ $0.lowercased() == "100-continue" }) else {
      throw Problem(
        status: 417, code: "expectation_failed",
        detail: "unsupported expectation; use 100-continue")
    }
    return body
  }

  /// The problem for a `POST` without a length to a route that reads a body.
  static let lengthRequired = Problem(
    status: 411, code: "length_required", detail: "Content-Length is required")

  private static func length(_ text: String) throws(Problem) -> Body {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .malformed("invalid Content-Length; expected a number")
    }
    return .length(Int(text) ?? .max)
  }

  /// Returns whether a text is empty, `HOST` or `HOST:PORT`.
  ///
  /// User names and percent escapes are rejected, because parsers interpret them differently.
  private static func isHost(_ text: String) -> Bool {
    let bytes = text.utf8
    guard let first = bytes.first else { return true }
    let isLiteral = first == UInt8(ascii: "[")
    let end =
      isLiteral
      ? bytes.firstIndex(of: UInt8(ascii: "]")).map(bytes.index(after:))
      : bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    guard let end else { return false }
    let (host, port) = (
      isLiteral ? bytes[..<end].dropFirst().dropLast() : bytes[..<end], bytes[end...]
    )
    let others = isLiteral ? ":." : "-._~!$&'()*+,;="
    return !host.isEmpty && (port.isEmpty || port.first == UInt8(ascii: ":"))
      && host.allSatisfy { $0.isASCIIAlphanumeric || others.utf8.contains($0) }
      && port.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Returns whether a text is a `token` as defined by RFC 9110.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
  }

  /// Returns whether a byte is allowed in a `token` as defined by RFC 9110.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Returns whether a value has no control characters except tabs.
  private static func isPlain(_ value: String) -> Bool {
    value.utf8.allSatisfy(isPlainByte)
  }

  /// Returns whether a byte is a tab or not a control character.
  static func isPlainByte(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 0x09
  }
}
