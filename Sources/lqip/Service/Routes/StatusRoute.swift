/// Tells load balancers and monitoring whether the server is well.
struct StatusRoute: Route {
  let path: String
  /// What is wrong; nil for nothing.
  let problem: @Sendable () -> Problem?

  func respond(to request: Request) throws(Problem) -> Response {
    if let problem = problem() { throw problem }
    return Response(
      status: 200,
      fields: [("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store")],
      body: Array("ok\n".utf8))
  }
}
