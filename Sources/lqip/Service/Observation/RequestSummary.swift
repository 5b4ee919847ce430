import LqipSystem

/// The summary of a finished request, or of a connection without a valid request.
struct RequestSummary: Sendable {
  /// The request ID, as in the response; empty if the connection was lost before the ID was known.
  var id = ""
  var method = ""
  /// The client's address, if known.
  var client: String?
  /// The `traceparent` of the request, if any.
  var trace: String?
  /// The path of the route, if any.
  var route: String?
  /// The status of the response; 499 if the client disconnected first.
  var status = 499
  /// The reason for a decoder failure and the digest of the image, if a decoder failed.
  var decoderFailure: (reason: String, digest: SHA256Digest)?
  /// The number of received body bytes.
  var bytesIn = 0
  /// The number of body bytes in the response.
  var bytesOut = 0
  /// The time spent on decoding and encoding; `nil` if no image was decoded.
  var decodingTime: Duration?
  /// The time from the request line to the end of the response.
  var totalTime = Duration.zero
  /// The outcome: `ok`, the code of the problem, `aborted` or `malformed`.
  ///
  /// `aborted`: the response was not delivered. `malformed`: the client sent something other than a
  /// valid request, such as a TLS handshake.
  var outcome = "aborted"
}

extension Duration {
  /// The duration in milliseconds, truncated to microseconds.
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1000
  }
}
