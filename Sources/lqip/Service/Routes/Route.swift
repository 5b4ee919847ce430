import LqipRecords

/// A resource of the server with a fixed path.
struct Route: Sendable {
  let path: String
  /// The allowed methods, without `OPTIONS`, which every route allows.
  var methods = ["GET", "HEAD"]
  /// Whether clients can use the route without a token.
  var isPublic = true
  /// Decides from the head how to handle a request with an allowed method.
  ///
  /// The server omits the body of a response to `HEAD`.
  ///
  /// It throws a ``Problem`` if the request fails regardless of its body.
  let accept: @Sendable (_ head: RequestHead) throws(Problem) -> Acceptance
}

/// The decision about a request, made from its head.
enum Acceptance {
  /// The response, sent without reading the body.
  case respond(Response)
  /// The handler to call once the body is complete.
  case handle(RequestHandler)
}

/// The handler of a request whose head was accepted.
struct RequestHandler {
  /// A type of work with its own concurrency limit.
  enum Work: String, CaseIterable, Sendable {
    case encoding, drawing
  }

  /// A function that decodes an image in a worker, within a time limit.
  typealias Decode = (_ task: ImageTask, _ bytes: Span<UInt8>, _ time: Duration) -> EncodingResult

  let work: Work
  var maximumBodyByteCount = 0
  let respond: (_ body: RequestBody, _ decode: Decode) throws(Problem) -> Response
}
