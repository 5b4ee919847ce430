/// Answers requests: all that the server knows of what it serves.
///
/// The functions only compute, so that everything but the sockets is tested without them.
protocol Responder: Sendable {
  /// Decides by the head whether the body is to be read.
  func admit(_ head: RequestHead) -> Admission

  /// Answers a request that was accepted.
  func respond(to request: Request) -> Response

  /// The header fields of every response to a request, also of those that the server makes itself.
  func fields(for head: RequestHead) -> [(name: String, value: String)]
}

extension Responder {
  func fields(for head: RequestHead) -> [(name: String, value: String)] { [] }
}
