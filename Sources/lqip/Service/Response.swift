/// What the server answers.
struct Response: Sendable {
  let status: Int
  /// The header fields, without those that the server adds to every response.
  var fields: [(name: String, value: String)]
  var body: [UInt8]
  /// How the request ended, for the log and the metrics: `ok`, or the code of the problem.
  var outcome = "ok"
  /// How long decoding and encoding took, where images were decoded.
  var decodingTime: Duration?
}
