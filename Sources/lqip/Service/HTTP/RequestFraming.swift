import LqipSystem

/// Refuses requests whose end is in doubt.
///
/// Where two readers may differ on where a request ends, a second one can be hidden behind it. So
/// RFC 9112 is applied strictly, and whatever is doubtful is a 400 that closes the connection.
enum RequestFraming {
  /// How a body is delimited.
  enum Body: Hashable, Sendable {
    /// A `POST` says nothing of it. There is none then, but the client may have forgotten to say so.
    case unstated
    case length(Int)
    case chunked
  }

  /// Finds out how the body is delimited.
  ///
  /// - Parameters:
  ///   - method: The method as it was sent.
  ///   - target: The request's target as it was sent.
  ///   - version: The version as it was sent, such as `HTTP/1.1`.
  ///   - fields: The header fields with their names in lower case.
  /// - Returns: What follows the head.
  /// - Throws: The problem that the request is answered with.
  static func body(
    method: String, target: String, version: String, fields: [HeaderField]
  ) throws(Problem) -> Body {
    func values(_ name: String) -> [String] {
      fields.filter { $0.name == name }.map(\.value)
    }
    guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !target.contains("%00") else {
      throw .malformed("the request target contains invalid characters")
    }
    // Absolute-form is for proxies.
    guard target.hasPrefix("/") || target == "*", !target.contains("#") else {
      throw .malformed("the request target must be a path without a fragment")
    }
    guard isToken(method), fields.allSatisfy({ isToken($0.name) && isPlain($0.value) }) else {
      throw .malformed("the method or a header field contains invalid characters")
    }
    let isModern = version != "HTTP/1.0"
    let hosts = values("host")
    guard hosts.count == 1 || (hosts.isEmpty && !isModern) else {
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
      guard isModern, codings[0].lowercased() == "chunked" else {
        throw .malformed("unsupported transfer coding; use chunked over HTTP/1.1")
      }
      body = .chunked
    default:
      throw .malformed("conflicting body lengths; send one Content-Length or Transfer-Encoding")
    }
    // HTTP/1.0 knows no expectations, so they are ignored there.
    guard !isModern || values("expect").allSatisfy({ $0.lowercased() == "100-continue" }) else {
      throw Problem(
        status: 417, code: "expectation_failed",
        detail: "unsupported expectation; use 100-continue")
    }
    return body
  }

  /// The problem of a `POST` to something that takes a body, which does not say how long it is.
  static let lengthRequired = Problem(
    status: 411, code: "length_required", detail: "Content-Length is required")

  private static func length(_ text: String) throws(Problem) -> Body {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .malformed("invalid Content-Length; expected a number")
    }
    return .length(Int(text) ?? .max)
  }

  /// Whether a text is empty or a host, perhaps with a port: without a user's name and without escapes,
  /// so that it means the same to every reader.
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

  /// Whether a text is a `token` of RFC 9110.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
  }

  /// Whether a byte may be part of a `token` of RFC 9110.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Whether a value has no control characters but the tab.
  private static func isPlain(_ value: String) -> Bool {
    value.utf8.allSatisfy(isPlainByte)
  }

  /// Whether a byte is no control character but the tab.
  static func isPlainByte(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 0x09
  }
}
