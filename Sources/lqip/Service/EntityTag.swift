internal import LqipFiles

/// The name of one version of what a URL stands for, as RFC 9110 has it in section 8.8.3.
struct EntityTag: Hashable, Sendable {
  /// The tag with its quotes; a strong one.
  let text: String

  /// Names something by all that it follows from.
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
