import LqipRecords

/// Why a request failed, in the form of RFC 9457.
struct Problem: Error, Hashable, Sendable {
  let status: Int
  /// The reason that programs can tell apart: a code of the records, or one of the server's.
  let code: String
  /// The reason for people.
  let detail: String
  /// After how many seconds another try makes sense.
  var retryAfter: Int?
  /// Header fields that belong to the problem.
  var fields: [String: String] = [:]

  /// The problem as a response.
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

  /// The problem of a request that is malformed or ambiguous.
  static func malformed(_ detail: String) -> Problem {
    Problem(status: 400, code: "bad_request", detail: detail)
  }

  /// The problem of a server that has too much to do.
  static func busy(_ detail: String) -> Problem {
    Problem(status: 503, code: "busy", detail: detail, retryAfter: 1)
  }

  /// The status in words.
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
