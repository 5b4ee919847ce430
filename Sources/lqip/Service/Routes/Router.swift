package import LqipRecords
package import LqipSystem

/// A router that finds the route of a request and applies the rules common to all routes.
package struct Router: Sendable {
  let routes: [Route]
  /// The tokens for routes that are not public; `nil` if no token is required.
  var tokens: TokenFile?
  var crossOrigin = CrossOriginPolicy(origins: [])

  /// Decides from the head how to handle a request, and returns the path of the route, if any.
  func admit(_ head: RequestHead) -> (Acceptance, route: String?) {
    guard let route = routes.first(where: { $0.path == head.path }) else {
      let problem = Problem(status: 404, code: "not_found", detail: "not found")
      return (.respond(problem.response), nil)
    }
    do throws(Problem) {
      return (try admit(head, to: route), route.path)
    } catch {
      return (.respond(error.response), route.path)
    }
  }

  /// Returns the header fields common to all responses to a request, including error responses.
  func fields(for head: RequestHead) -> [HeaderField] {
    [("x-content-type-options", "nosniff")]
      + (head.path == "/metrics" ? [] : crossOrigin.fields(for: head))
  }

  private func admit(_ head: RequestHead, to route: Route) throws(Problem) -> Acceptance {
    let methods = (route.methods + ["OPTIONS"]).joined(separator: ", ")
    if head.method == "OPTIONS" {
      let fields = [("allow", methods)] + crossOrigin.preflightFields(methods: methods)
      return .respond(Response(status: 204, fields: fields))
    }
    guard route.methods.contains(head.method) else {
      throw Problem(
        status: 405, code: "method_not_allowed",
        detail: "method not allowed; use \(route.methods.joined(separator: " or "))",
        fields: [("allow", methods)])
    }
    if let problem = crossOrigin.refusal(of: head, isPublic: route.isPublic) { throw problem }
    guard route.isPublic || tokens?.admits(head) ?? true else { throw Self.unauthorized(head) }
    return try route.accept(head)
  }

  /// Returns the problem for a missing or unknown token (RFC 6750, section 3.1).
  private static func unauthorized(_ head: RequestHead) -> Problem {
    let isWrong = head[field: "authorization"] != nil
    return Problem(
      status: 401, code: "unauthorized",
      detail: isWrong ? "unknown token" : "a bearer token is required",
      fields: [("www-authenticate", isWrong ? "Bearer error=\"invalid_token\"" : "Bearer")])
  }
}

extension Router {
  /// Creates a router with all routes.
  package init(
    limits: LimitOptions, tokens: TokenFile?, origins: [String], isLoopback: Bool = false,
    metrics: Metrics, isDraining: Monitor<Bool>
  ) {
    routes =
      [EncodeRoute(limits: limits).route, DecodeRoute.route, Self.metricsRoute(metrics)]
      + Self.healthRoutes(isDraining) + AssetRoute.all
    self.tokens = tokens
    // With tokens, host names need no check: a page that uses DNS rebinding has no token.
    crossOrigin = CrossOriginPolicy(origins: origins, isLoopback: isLoopback && tokens == nil)
  }

  private static func healthRoutes(_ isDraining: Monitor<Bool>) -> [Route] {
    [
      Route(path: "/healthz") { _ in .respond(.text("ok\n")) },
      Route(path: "/readyz") { _ throws(Problem) in
        guard !isDraining.withLock(\.self) else {
          throw Problem(status: 503, code: "draining", detail: "the server is shutting down")
        }
        return .respond(.text("ok\n"))
      },
    ]
  }

  private static func metricsRoute(_ metrics: Metrics) -> Route {
    Route(path: "/metrics", isPublic: false) { _ in
      .respond(.text(metrics.text, type: "text/plain; version=0.0.4"))
    }
  }
}

extension Response {
  /// Returns a text response that caches do not store.
  fileprivate static func text(_ text: String, type: String = "text/plain") -> Response {
    let fields = [("content-type", "\(type); charset=utf-8"), ("cache-control", "no-store")]
    return Response(status: 200, fields: fields, body: Array(text.utf8))
  }
}
