internal import LqipFiles

/// What became of a request.
struct RequestSummary: Sendable {
  /// The request's ID, as in the response; empty if its head never arrived whole.
  var id = ""
  var method = ""
  /// Where the client is, as far as is known.
  var client: String?
  /// The `traceparent` that the request came with.
  var trace: String?
  /// The route's pattern, if there is one.
  var route: String?
  /// The status of the response; 499 if the client was gone before there was one.
  var status = 499
  /// Why a decoder gave no reply, and for which bytes.
  var decoderFailure: (reason: String, digest: SHA256Digest)?
  /// The bytes of the body that arrived, and of the response's body.
  var bytesIn = 0
  var bytesOut = 0
  /// How long decoding and encoding took, where images were decoded.
  var decodingTime: Duration?
  /// How long the request took from its first line to the end of its response.
  var totalTime = Duration.zero
  /// `ok`, the code of the problem, or `aborted` if the response did not get through.
  var outcome = "aborted"
}
