package import LqipRecords

/// Finds the route of a request, and applies the rules that all routes share.
package struct Router: Responder {
  private let routes: [any Route]
  private let tokens: TokenFile?
  private let crossOrigin: CrossOriginPolicy

  /// Serves everything there is.
  ///
  /// - Parameters:
  ///   - limits: What one request may cost.
  ///   - tokens: One of them opens the routes that are not public; nil if no token is needed.
  ///   - origins: The origins whose pages may use the server; `*` is any.
  ///   - isLoopback: Whether only this machine reaches the server, by an address of a network.
  ///   - metrics: What `/metrics` shows.
  ///   - showsMetrics: Whether `/metrics` is served here, and not at an address of its own.
  ///   - readiness: Whether the server is shutting down.
  package init(
    limits: LimitOptions, tokens: TokenFile?, origins: [String], isLoopback: Bool = false,
    metrics: Metrics, showsMetrics: Bool = true, readiness: Readiness
  ) {
    routes =
      [EncodeRoute(limits: limits), DecodeRoute()]
      + (showsMetrics ? [MetricsRoute(metrics: metrics)] : [])
      + Self.statusRoutes(readiness) + AssetRoute.all
    self.tokens = tokens
    // A page whose name was made to mean this machine has no token, so names need no check then.
    crossOrigin = CrossOriginPolicy(origins: origins, isLoopback: isLoopback && tokens == nil)
  }

  /// Serves the metrics and the status alone.
  package init(adminTokens: TokenFile?, metrics: Metrics, readiness: Readiness) {
    routes = [MetricsRoute(metrics: metrics)] + Self.statusRoutes(readiness)
    tokens = adminTokens
    crossOrigin = CrossOriginPolicy(origins: [])
  }

  private static func statusRoutes(_ readiness: Readiness) -> [any Route] {
    let draining = Problem(
      status: 503, code: "draining", detail: "the server is shutting down", retryAfter: 1)
    return [
      StatusRoute(path: "/healthz") { nil },
      StatusRoute(path: "/readyz") { readiness.isDraining ? draining : nil },
    ]
  }

  func admit(_ head: RequestHead) -> (Acceptance, route: String?) {
    if head.method == "OPTIONS", head.path == "*" { return (.answer(methodsOfAll), nil) }
    guard let route = routes.first(where: { $0.path == head.path }) else {
      return (.answer(Self.notFound), nil)
    }
    do throws(Problem) {
      return (try admit(head, to: route), route.path)
    } catch {
      return (.answer(error.response), route.path)
    }
  }

  func fields(for head: RequestHead) -> [HeaderField] {
    [("x-content-type-options", "nosniff")]
      + (head.path == "/metrics" ? [] : crossOrigin.fields(for: head))
  }

  private func admit(_ head: RequestHead, to route: any Route) throws(Problem) -> Acceptance {
    let methods = (route.methods + ["OPTIONS"]).joined(separator: ", ")
    if head.method == "OPTIONS" {
      let fields = [("allow", methods)] + crossOrigin.preflightFields(methods: methods)
      return .answer(Response(status: 204, fields: fields))
    }
    guard route.methods.contains(head.method) else {
      throw Problem(
        status: 405, code: "method_not_allowed",
        detail: "method not allowed; use \(route.methods.joined(separator: " or "))",
        fields: ["allow": methods])
    }
    if let problem = crossOrigin.refusal(of: head, isPublic: route.isPublic) { throw problem }
    guard route.isPublic || tokens?.admits(head) ?? true else { throw Self.unauthorized(head) }
    return try route.accept(head)
  }

  /// Tells an unknown token from a missing one: RFC 6750, section 3.1.
  private static func unauthorized(_ head: RequestHead) -> Problem {
    let isWrong = head[field: "authorization"] != nil
    return Problem(
      status: 401, code: "unauthorized",
      detail: isWrong ? "unknown token" : "a bearer token is required",
      fields: ["www-authenticate": isWrong ? "Bearer error=\"invalid_token\"" : "Bearer"])
  }

  /// What the server can do as a whole: RFC 9110, section 9.3.7.
  private var methodsOfAll: Response {
    let methods = Set(routes.flatMap(\.methods)).sorted() + ["OPTIONS"]
    return Response(status: 204, fields: [("allow", methods.joined(separator: ", "))])
  }

  private static let notFound = Problem(
    status: 404, code: "not_found", detail: "not found"
  ).response
}
