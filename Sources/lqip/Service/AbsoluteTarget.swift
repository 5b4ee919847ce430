internal import LqipFiles

/// A target in absolute form, such as `http://a.example/healthz`, which clients send to proxies and
/// servers have to accept.
///
/// Source: RFC 9112, section 3.2.2.
struct AbsoluteTarget {
  /// The host and the port as they were sent.
  let authority: String
  private let schemeByteCount: Int

  /// Reads a target as it was sent; nil if it has another form or a scheme that is not HTTP's.
  init?(_ target: String) {
    let bytes = target.utf8
    let scheme = ["http://", "https://"].first { scheme in
      String(decoding: bytes.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme
    }
    guard let scheme else { return nil }
    schemeByteCount = scheme.utf8.count
    authority = String(
      decoding: bytes.dropFirst(schemeByteCount).prefix { !"/?#".utf8.contains($0) }, as: UTF8.self)
  }

  /// Whether the authority is a host, perhaps with a port: without a user's name and without escapes,
  /// so that it means the same to every reader.
  var hasPlainHost: Bool {
    let bytes = authority.utf8
    let isLiteral = bytes.first == UInt8(ascii: "[")
    let end =
      isLiteral
      ? bytes.firstIndex(of: UInt8(ascii: "]")).map(bytes.index(after:))
      : bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    guard let end else { return false }
    let port = bytes[end...]
    guard port.isEmpty || port.first == UInt8(ascii: ":"),
      port.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { return false }
    let host = isLiteral ? bytes[..<end].dropFirst().dropLast() : bytes[..<end]
    let others = isLiteral ? ":." : "-._~!$&'()*+,;="
    return !host.isEmpty
      && host.allSatisfy { $0.isASCIIAlphanumeric || others.utf8.contains($0) }
  }

  /// The request as it would be in origin form: with its path alone as the target, and with the
  /// authority as its host, whatever `Host` says.
  ///
  /// - Parameter head: The head with this target's path, whose escapes are resolved.
  /// - Returns: The head that the routes see.
  func originForm(of head: RequestHead) -> RequestHead {
    let path = String(
      decoding: head.path.utf8.dropFirst(schemeByteCount + authority.utf8.count), as: UTF8.self)
    return RequestHead(
      method: head.method, path: path.isEmpty ? "/" : path, query: head.query,
      fields: [("host", authority)] + head.fields.filter { $0.name != "host" }, id: head.id)
  }
}
