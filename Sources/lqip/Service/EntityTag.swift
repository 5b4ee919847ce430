internal import LqipFiles

/// The tag of one version of a resource: RFC 9110, section 8.8.3.
struct EntityTag: Hashable, Sendable {
  /// The tag with its quotes; a strong one.
  let text: String

  /// Makes a tag from everything that the response depends on.
  init(of content: [UInt8]) {
    text = "\"\(SHA256Digest(of: content).hex)\""
  }

  /// Whether the client has this version already; weak tags are as good as strong ones for that.
  func isKnown(to head: RequestHead) -> Bool {
    head.list("if-none-match").contains { tag in
      tag == "*" || tag == text || tag == "W/\(text)"
    }
  }
}
