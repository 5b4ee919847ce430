import LqipSystem

/// A header field or a parameter of a query.
typealias HeaderField = (name: String, value: String)

/// What the server answers.
struct Response: Sendable {
  var status: Int
  /// The header fields, without those that the server adds to every response.
  var fields: [HeaderField]
  var body: [UInt8] = []
  /// How the request ended, for the log and the metrics: `ok`, or the code of the problem.
  var outcome = "ok"
  /// How long decoding and encoding took, where images were decoded.
  var decodingTime: Duration?
}

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
