/// One thing that the server has at one path.
protocol Route: Sendable {
  var path: String { get }
  /// The methods that it allows, without `OPTIONS`, which all routes allow.
  var methods: [String] { get }
  /// Whether clients without a token may use it.
  var isPublic: Bool { get }
  /// The most bytes that are read of a body.
  var maximumBodyByteCount: Int { get }
  /// Whether the answer takes a decode slot.
  var decodes: Bool { get }

  /// Looks at the head before anything else is done.
  ///
  /// - Parameter head: The head of a request with one of the methods.
  /// - Returns: The answer, if the head alone calls for one without work.
  /// - Throws: ``Problem`` if the request fails whatever its body.
  func answer(to head: RequestHead) throws(Problem) -> Response?

  /// Answers a request; of the answer to `HEAD`, which is that to `GET`, the server sends the head.
  func respond(to request: Request) throws(Problem) -> Response
}

extension Route {
  var methods: [String] { ["GET", "HEAD"] }
  var isPublic: Bool { true }
  var maximumBodyByteCount: Int { 0 }
  var decodes: Bool { false }

  func answer(to head: RequestHead) throws(Problem) -> Response? { nil }
}
