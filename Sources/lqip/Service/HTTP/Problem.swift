import LqipRecords

/// An error response in the problem details format: RFC 9457.
struct Problem: Error, Hashable, Sendable {
  let status: Int
  /// The machine-readable reason: an error code of a record, or a code of the server.
  let code: String
  /// The human-readable reason.
  let detail: String
  /// The delay before a retry in seconds, sent as `Retry-After`.
  var retryAfter: Int?
  /// Additional header fields of the response.
  var fields: [String: String] = [:]

  /// The problem as an HTTP response.
  var response: Response {
    let json = JSON.object([
      ("type", .string("about:blank")), ("title", .string(title)),
      ("status", .integer(status)), ("code", .string(code)), ("detail", .string(detail)),
    ])
    var fields = [("content-type", "application/problem+json"), ("cache-control", "no-store")]
    if let retryAfter { fields.append(("retry-after", String(retryAfter))) }
    return Response(
      status: status,
      fields: fields + self.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      body: json.bytes, outcome: code)
  }

  /// Returns the problem for a malformed or ambiguous request.
  static func malformed(_ detail: String) -> Problem {
    Problem(status: 400, code: "bad_request", detail: detail)
  }

  /// Returns the problem for an overloaded server.
  static func busy(_ detail: String) -> Problem {
    Problem(status: 503, code: "busy", detail: detail, retryAfter: 1)
  }

  /// The reason phrase of the status.
  var title: String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 403: "Forbidden"
    case 408: "Request Timeout"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: "Error"
    }
  }
}
