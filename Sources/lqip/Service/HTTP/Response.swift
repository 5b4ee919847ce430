import LqipSystem

/// A header field or a query parameter.
typealias HeaderField = (name: String, value: String)

/// An HTTP response.
struct Response: Sendable {
  var status: Int
  /// The header fields, except those that the server adds to every response.
  var fields: [HeaderField]
  var body: [UInt8] = []
  /// The outcome for the log and the metrics: `ok`, or the code of the problem.
  var outcome = "ok"
  /// The time spent on decoding and encoding; `nil` if no image was decoded.
  var decodingTime: Duration?
}

/// The entity tag of one version of a resource: RFC 9110, section 8.8.3.
struct EntityTag: Hashable, Sendable {
  /// The strong tag, including its quotes.
  let text: String

  /// Creates a tag from the content of the response, or from other bytes that determine it.
  init(of content: [UInt8]) {
    text = "\"\(SHA256Digest(of: content).hex)\""
  }

  /// Returns whether the `If-None-Match` field of a request matches this tag.
  ///
  /// The comparison is weak: RFC 9110, section 13.1.2.
  func isKnown(to head: RequestHead) -> Bool {
    head.list("if-none-match").contains { tag in
      tag == "*" || tag == text || tag == "W/\(text)"
    }
  }
}
