package import LqipOptions

/// The cross-origin policy: CORS, and protection against DNS rebinding.
struct CrossOriginPolicy: Sendable {
  /// The allowed origins, such as `https://example.org`; `*` allows any origin.
  let origins: [String]
  /// Whether the server listens only on a loopback address and requires no token.
  var isLoopback = false

  /// Returns the problem for a request from a web page that may not use the server.
  ///
  /// A page can make the browser send a simple request without a preflight. The page cannot read the response, but the
  /// server would still do the work.
  ///
  /// DNS rebinding is another attack: an attacker's host name resolves to this machine, so the attacker's page has the
  /// same origin as the server. Clients other than browsers send no `Origin` and are allowed. If the route is public,
  /// any client may read the response to a `GET`.
  func refusal(of head: RequestHead, isPublic: Bool) -> Problem? {
    let origin = head[field: "origin"]
    guard !origins.contains("*"), !origins.contains(where: { $0 == origin }) else { return nil }
    let host = head[field: "host"] ?? ""
    let site = head[field: "sec-fetch-site"]
    let isRead = ["GET", "HEAD", "OPTIONS"].contains(head.method)
    // A `GET` changes nothing, and browsers hide its response from pages of other origins.
    let isOwn =
      switch site {
      case _ where isRead: true
      case "same-origin", "none": true
      case .some: false
      case nil: origin.map { $0 == "http://\(host)" || $0 == "https://\(host)" } ?? true
      }
    // After DNS rebinding, the browser treats the response as same-origin.
    let isPage = isRead ? !isPublic && !(origin ?? site ?? "").isEmpty : origin != nil
    guard isOwn else {
      return Problem(
        status: 403, code: "cross_origin",
        detail: "pages from this origin are not allowed to access the server; see --cors-origin")
    }
    guard !isLoopback || !isPage || Self.isLoopback(host) else {
      return Problem(
        status: 421, code: "foreign_host",
        detail: "pages are not allowed to access the server using this host name; "
          + "see --cors-origin")
    }
    return nil
  }

  /// Returns whether a `Host` value is `localhost` or a loopback address.
  private static func isLoopback(_ host: String) -> Bool {
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    let isAddress = name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
      UInt8($0) != nil
    }
    return name == "[::1]" || name.lowercased() == "localhost"
      || isAddress && name.hasPrefix("127.")
  }

  func fields(for head: RequestHead) -> [HeaderField] {
    guard !origins.isEmpty else { return [] }
    let exposed = (
      "access-control-expose-headers", "etag, retry-after, server-timing, x-request-id"
    )
    if origins.contains("*") { return [("access-control-allow-origin", "*"), exposed] }
    // Without `Vary`, a cache could serve one origin's response to another origin.
    let vary = ("vary", "Origin")
    guard let origin = head[field: "origin"], origins.contains(origin) else { return [vary] }
    return [("access-control-allow-origin", origin), exposed, vary]
  }

  func preflightFields(methods: String) -> [HeaderField] {
    guard !origins.isEmpty else { return [] }
    return [
      ("access-control-allow-methods", methods),
      ("access-control-allow-headers", "authorization, content-type, x-request-id"),
      ("access-control-max-age", "86400"),
    ]
  }
}

extension OptionValue<String> {
  /// `*`, or an origin in the form that browsers send: lower case, without a path.
  package static var origin: Self {
    OptionValue(allowed: "* or an origin such as https://example.org") { argument in
      let text = argument.text
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let isOrigin =
        parts.count == 3 && ["http:", "https:"].contains(parts[0]) && parts[1].isEmpty
        && !parts[2].isEmpty && !parts[2].contains("*")
        && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        && text == text.lowercased()
      return text == "*" || isOrigin ? text : nil
    }
  }
}
