import LqipRecords

/// One thing that the server has at one path.
protocol Route: Sendable {
  var path: String { get }
  /// The methods that it allows, without `OPTIONS`, which all routes allow.
  var methods: [String] { get }
  /// Whether clients without a token may use it.
  var isPublic: Bool { get }

  /// Reads a head with one of the methods; of the answer to `HEAD` the server sends the head alone.
  ///
  /// - Throws: ``Problem`` if the request fails whatever its body.
  func accept(_ head: RequestHead) throws(Problem) -> Acceptance
}

extension Route {
  var methods: [String] { ["GET", "HEAD"] }
  var isPublic: Bool { true }
}

/// How a request goes on after its head.
enum Acceptance {
  /// The head alone is answered.
  case answer(Response)
  /// The answer is made once the body is there.
  case handle(RequestHandler)
}

/// Makes the answer to a request whose head was accepted.
struct RequestHandler {
  /// What the answer takes, which is bounded for each by itself.
  enum Work: String, CaseIterable, Sendable {
    case encoding, drawing
  }

  /// Decodes an image of the body within a time, in a worker.
  typealias Decode = (_ task: ImageTask, _ bytes: Span<UInt8>, _ time: Duration) -> ImageReply

  let work: Work
  /// The maximum length of the body in bytes.
  var maximumBodyByteCount = 0
  let respond: (_ body: BodyBytes, _ decode: Decode) throws(Problem) -> Response
}

/// Answers requests: all that the server knows of what it serves.
protocol Responder: Sendable {
  /// Decides by the head whether the body is read.
  ///
  /// - Returns: What follows, and the route's pattern, if there is a route.
  func admit(_ head: RequestHead) -> (Acceptance, route: String?)

  /// The header fields of every response to a request, also of those that the server makes itself.
  func fields(for head: RequestHead) -> [HeaderField]
}

extension Responder {
  func fields(for head: RequestHead) -> [HeaderField] { [] }
}
