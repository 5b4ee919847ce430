package import LqipOptions

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

  func admit(_ head: RequestHead) -> Admission {
    if head.method == "OPTIONS", head.path == "*" { return .refuse(methodsOfAll) }
    guard let route = route(at: head.path) else { return .refuse(Self.notFound) }
    if let response = refusal(of: head, by: route) {
      return .refuse(response, route: route.path)
    }
    return .accept(
      route: route.path, maximumBodyByteCount: route.maximumBodyByteCount, decodes: route.decodes)
  }

  func respond(to request: Request) -> Response {
    guard let route = route(at: request.head.path) else { return Self.notFound }
    do throws(Problem) {
      return try route.respond(to: request)
    } catch {
      return error.response
    }
  }

  func fields(for head: RequestHead) -> [(name: String, value: String)] {
    [("x-content-type-options", "nosniff")]
      + (head.path == "/metrics" ? [] : crossOrigin.fields(for: head))
  }

  /// What the head alone is answered with.
  private func refusal(of head: RequestHead, by route: any Route) -> Response? {
    let methods = (route.methods + ["OPTIONS"]).joined(separator: ", ")
    if head.method == "OPTIONS" {
      let fields = [("allow", methods)] + crossOrigin.preflightFields(methods: methods)
      return Response(status: 204, fields: fields, body: [])
    }
    guard route.methods.contains(head.method) else {
      let problem = Problem(
        status: 405, code: "method_not_allowed",
        detail: "method not allowed; use \(Self.phrase(route.methods))")
      return problem.response.with("allow", methods)
    }
    if let problem = crossOrigin.refusal(of: head, isPublic: route.isPublic) {
      return problem.response
    }
    guard route.isPublic || tokens?.admits(head) ?? true else { return Self.unauthorized(head) }
    do throws(Problem) {
      return try route.answer(to: head)
    } catch {
      return error.response
    }
  }

  private static func phrase(_ methods: [String]) -> String {
    methods.joined(separator: " or ")
  }

  /// Tells an unknown token from a missing one: RFC 6750, section 3.1.
  private static func unauthorized(_ head: RequestHead) -> Response {
    let isWrong = head[field: "authorization"] != nil
    let problem = Problem(
      status: 401, code: "unauthorized",
      detail: isWrong ? "unknown token" : "a bearer token is required")
    return problem.response.with(
      "www-authenticate", isWrong ? "Bearer error=\"invalid_token\"" : "Bearer")
  }

  /// What the server can do as a whole: RFC 9110, section 9.3.7.
  private var methodsOfAll: Response {
    let methods = Set(routes.flatMap(\.methods)).sorted() + ["OPTIONS"]
    return Response(status: 204, fields: [("allow", methods.joined(separator: ", "))], body: [])
  }

  private func route(at path: String) -> (any Route)? {
    routes.first { $0.path == path }
  }

  private static let notFound = Problem(
    status: 404, code: "not_found", detail: "not found"
  ).response
}

extension Response {
  /// The response with another header field.
  fileprivate func with(_ name: String, _ value: String) -> Response {
    var response = self
    response.fields.append((name, value))
    return response
  }
}
