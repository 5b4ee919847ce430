import LqipRecords

/// A resource of the server with a fixed path.
protocol Route: Sendable {
  var path: String { get }
  /// The allowed methods, without `OPTIONS`, which every route allows.
  var methods: [String] { get }
  /// Whether clients can use the route without a token.
  var isPublic: Bool { get }

  /// Decides from the head how to handle a request with an allowed method.
  ///
  /// The server omits the body of a response to `HEAD`.
  ///
  /// - Throws: A ``Problem`` if the request fails regardless of its body.
  func accept(_ head: RequestHead) throws(Problem) -> Acceptance
}

extension Route {
  var methods: [String] { ["GET", "HEAD"] }
  var isPublic: Bool { true }
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
  typealias Decode = (_ task: ImageTask, _ bytes: Span<UInt8>, _ time: Duration) -> ImageReply

  let work: Work
  /// The maximum size of the body in bytes.
  var maximumBodyByteCount = 0
  let respond: (_ body: RequestBody, _ decode: Decode) throws(Problem) -> Response
}
