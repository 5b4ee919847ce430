package import LqipOptions
import LqipRecords
package import LqipSystem

/// A router that finds the route of a request and applies the rules common to all routes.
package struct Router: Sendable {
  let routes: [Route]
  /// The tokens for routes that are not public; `nil` if no token is required.
  var tokens: TokenFile?
  var crossOrigin = CrossOriginPolicy(origins: [])

  /// Decides from the head how to handle a request, and returns the path of the route, if any.
  func admit(_ head: RequestHead) -> (Acceptance, route: String?) {
    let route = routes.first { $0.path == head.path }
    do throws(Problem) {
      return (try admit(head, to: route), route?.path)
    } catch {
      return (.respond(error.response), route?.path)
    }
  }

  /// Returns the header fields common to all responses to a request, including error responses.
  func fields(for head: RequestHead) -> [HeaderField] {
    [("x-content-type-options", "nosniff")]
      + (head.path == "/metrics" ? [] : crossOrigin.fields(for: head))
  }

  private func admit(_ head: RequestHead, to route: Route?) throws(Problem) -> Acceptance {
    guard let route else { throw Problem(status: 404, code: "not_found", detail: "not found") }
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
    guard route.isPublic || tokens?.admits(head) ?? true else {
      // RFC 6750, section 3.1: only a request with a token gets an error code.
      let isWrong = head[field: "authorization"] != nil
      throw Problem(
        status: 401, code: "unauthorized",
        detail: isWrong ? "unknown token" : "a bearer token is required",
        fields: [("www-authenticate", isWrong ? "Bearer error=\"invalid_token\"" : "Bearer")])
    }
    return try route.accept(head)
  }
}

extension Router {
  /// Creates a router with all routes.
  package init(
    limits: LimitOptions, tokens: TokenFile?, origins: [String], isLoopback: Bool = false,
    metrics: Metrics, isDraining: Monitor<Bool>
  ) {
    let routes: [Route] = [
      EncodeRoute(limits: limits).route, DecodeRoute.route,
      Route(path: "/metrics", isPublic: false) { _ in
        .respond(.text(metrics.text, type: "text/plain; version=0.0.4"))
      },
      Route(path: "/healthz") { _ in .respond(.text("ok\n")) },
      Route(path: "/readyz") { _ throws(Problem) in
        guard !isDraining.withLock(\.self) else {
          throw Problem(status: 503, code: "draining", detail: "the server is shutting down")
        }
        return .respond(.text("ok\n"))
      },
    ]
    self.routes = routes + AssetRoute.all
    self.tokens = tokens
    // With tokens, host names need no check: a page that uses DNS rebinding has no token.
    crossOrigin = CrossOriginPolicy(origins: origins, isLoopback: isLoopback && tokens == nil)
  }
}

extension Response {
  /// Returns a text response that caches do not store.
  fileprivate static func text(_ text: String, type: String = "text/plain") -> Response {
    let fields = [("content-type", "\(type); charset=utf-8"), ("cache-control", "no-store")]
    return Response(status: 200, fields: fields, body: Array(text.utf8))
  }
}
