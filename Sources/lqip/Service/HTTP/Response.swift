import LqipRecords
import PlaceholderEncoding

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

/// An error response in the problem details format: RFC 9457.
struct Problem: Error {
  let status: Int
  /// The machine-readable reason: an error code of a record, or a code of the server.
  let code: String
  let detail: String
  var fields: [HeaderField] = []

  var response: Response {
    let json = JSON.object([
      ("type", .string("about:blank")), ("title", .string(title)),
      ("status", .integer(status)), ("code", .string(code)), ("detail", .string(detail)),
    ])
    var fields = [("content-type", "application/problem+json"), ("cache-control", "no-store")]
    // The client may retry after one second.
    if status == 503 { fields.append(("retry-after", "1")) }
    return Response(status: status, fields: fields + self.fields, body: json.bytes, outcome: code)
  }

  static func malformed(_ detail: String) -> Problem {
    Problem(status: 400, code: "bad_request", detail: detail)
  }

  static func badParameter(_ detail: String) -> Problem {
    Problem(status: 400, code: "bad_parameter", detail: detail)
  }

  static func busy(_ detail: String) -> Problem {
    Problem(status: 503, code: "busy", detail: detail)
  }
}
