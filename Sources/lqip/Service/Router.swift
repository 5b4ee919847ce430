package import LqipOptions

/// Finds the route that a request is for; says what holds for all of them.
package struct Router: Responder {
  private let routes: [any Route]
  private let tokens: TokenFile?
  private let crossOrigin: CrossOriginPolicy

  /// Serves everything there is.
  ///
  /// - Parameters:
  ///   - limits: What one request may cost.
  ///   - tokens: What opens the routes that are not public; nil if they are open.
  ///   - origins: The origins whose pages may use the server; `*` is any.
  ///   - metrics: What is counted.
  ///   - readiness: Whether the server is about to end.
  package init(
    limits: LimitOptions, tokens: TokenFile?, origins: [String], metrics: Metrics,
    readiness: Readiness
  ) {
    let draining = Problem(
      status: 503, code: "draining", detail: "the server is about to end", retryAfter: 1)
    routes =
      [
        EncodeRoute(limits: limits), DecodeRoute(), MetricsRoute(metrics: metrics),
        StatusRoute(path: "/healthz") { nil },
        StatusRoute(path: "/readyz") { readiness.isDraining ? draining : nil },
      ] + AssetRoute.all
    self.tokens = tokens
    crossOrigin = CrossOriginPolicy(origins: origins)
  }

  func admit(_ head: RequestHead) -> Admission {
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
    [("x-content-type-options", "nosniff")] + crossOrigin.fields(for: head)
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
        status: 405, code: "method_not_allowed", detail: "'\(route.path)' knows \(methods)")
      return problem.response.with("allow", methods)
    }
    guard route.isPublic || tokens?.admits(head) ?? true else {
      let problem = Problem(status: 401, code: "unauthorized", detail: "a bearer token is needed")
      return problem.response.with("www-authenticate", "Bearer")
    }
    do throws(Problem) {
      return try route.answer(to: head)
    } catch {
      return error.response
    }
  }

  private func route(at path: String) -> (any Route)? {
    routes.first { $0.path == path }
  }

  private static let notFound = Problem(
    status: 404, code: "not_found", detail: "there is nothing here"
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
