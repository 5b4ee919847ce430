import LqipSystem

/// What happens in a server.
enum ServerEvent {
  case connectionOpened
  case connectionClosed
  /// A connection was cut without a response to end it.
  case connectionCut(DeadlineReaper.Cut)
  /// A connection was closed that brought something other than a request, such as TLS; it counts as cut too.
  case connectionUnreadable(client: String?)
  /// A request's first line has arrived; `requestFinished` follows for each.
  case requestStarted
  case requestFinished(RequestSummary)
  /// A worker gave no reply for an image, for this reason.
  case decoderFailed(String)
  /// How many requests wait for their turn.
  case queueChanged(RequestHandler.Work, length: Int)
  /// A request's turn has come after it waited for so long.
  case queueLeft(after: Duration)
}

/// Receives the events of a server, from many threads at once.
protocol ServerObserver: Sendable {
  func observe(_ event: ServerEvent)
}

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

extension Duration {
  /// The length in milliseconds, to the microsecond.
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1000
  }
}
