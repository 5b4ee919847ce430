import LqipRecords

/// An error response in the problem details format: RFC 9457.
struct Problem: Error {
  let status: Int
  /// The machine-readable reason: an error code of a record, or a code of the server.
  let code: String
  /// The human-readable reason.
  let detail: String
  /// The delay before a retry in seconds, sent as `Retry-After`.
  var retryAfter: Int?
  /// Additional header fields of the response.
  var fields: [HeaderField] = []

  /// The problem as an HTTP response.
  var response: Response {
    let json = JSON.object([
      ("type", .string("about:blank")), ("title", .string(title)),
      ("status", .integer(status)), ("code", .string(code)), ("detail", .string(detail)),
    ])
    var fields = [("content-type", "application/problem+json"), ("cache-control", "no-store")]
    if let retryAfter { fields.append(("retry-after", String(retryAfter))) }
    return Response(
      status: status, fields: fields + self.fields, body: json.bytes, outcome: code)
  }

  /// Returns the problem for a malformed or ambiguous request.
  static func malformed(_ detail: String) -> Problem {
    Problem(status: 400, code: "bad_request", detail: detail)
  }

  /// Returns the problem for an overloaded server.
  static func busy(_ detail: String) -> Problem {
    Problem(status: 503, code: "busy", detail: detail, retryAfter: 1)
  }
}
