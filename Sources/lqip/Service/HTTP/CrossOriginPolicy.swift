package import LqipRecords

/// Which pages of other origins may use the server from a browser.
struct CrossOriginPolicy: Sendable {
  /// The origins, such as `https://example.org`; `*` is any.
  let origins: [String]
  /// Whether only this machine reaches the server, by an address of a network, and needs no token.
  var isLoopback = false

  /// The longest origin that is repeated to its sender.
  private static let maximumOriginLength = 255

  /// Refuses requests of pages that may not use the server.
  ///
  /// Any page can make a browser send a request that needs no preflight; the page does not get the
  /// answer, but the server does the work. And where an attacker's name resolves to this machine, a
  /// page of that name has the server's own origin. Programs other than browsers send no `Origin`.
  ///
  /// - Parameters:
  ///   - head: The request.
  ///   - isPublic: Whether anybody may read the answer to a `GET`.
  /// - Returns: The problem; `nil` for a request that is let in.
  func refusal(of head: RequestHead, isPublic: Bool) -> Problem? {
    guard !origins.contains("*") else { return nil }
    let origin = head[field: "origin"]
    if let origin, origins.contains(origin) { return nil }
    let host = head[field: "host"] ?? ""
    let site = head[field: "sec-fetch-site"]
    if ["GET", "HEAD", "OPTIONS"].contains(head.method) {
      // To a page under an attacker's name that resolves to this machine, the answer would be its own.
      let isForeign = isLoopback && !(origin ?? site ?? "").isEmpty && !Self.isLoopback(host)
      return isForeign && !isPublic
        ? Self.refusal(
          421, "foreign_host", of: origin, "may not use this server by this host name")
        : nil
    }
    let isOwn =
      switch site {
      case "same-origin", "none": true
      case .some: false
      case nil: origin.map { $0 == "http://\(host)" || $0 == "https://\(host)" } ?? true
      }
    guard isOwn else {
      return Self.refusal(403, "cross_origin", of: origin, "may not use this server")
    }
    guard !isLoopback || origin == nil || Self.isLoopback(host) else {
      return Self.refusal(
        421, "foreign_host", of: origin, "may not use this server by this host name")
    }
    return nil
  }

  /// A refusal that tells whoever runs the server how to let the origin in, if the option takes it.
  private static func refusal(
    _ status: Int, _ code: String, of origin: String?, _ reason: String
  ) -> Problem {
    var detail = "pages from this origin \(reason)"
    if let origin, origin != "*", origin.utf8.count <= maximumOriginLength,
      OptionValue.origin.parse(CommandArgument(origin)) != nil
    {
      detail =
        "pages from \(origin) \(reason); to allow them, set --cors-origin \(origin)"
    }
    return Problem(status: status, code: code, detail: detail)
  }

  /// Whether a `Host` can only mean this machine.
  private static func isLoopback(_ host: String) -> Bool {
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    let isAddress = name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
      UInt8($0) != nil
    }
    return name == "[::1]" || name.lowercased() == "localhost"
      || isAddress && name.hasPrefix("127.")
  }

  /// What a response says about it.
  func fields(for head: RequestHead) -> [HeaderField] {
    guard !origins.isEmpty else { return [] }
    let exposed = (
      "access-control-expose-headers", "etag, retry-after, server-timing, x-request-id"
    )
    if origins.contains("*") { return [("access-control-allow-origin", "*"), exposed] }
    // A cache must not hand on to one origin what another was told.
    let vary = ("vary", "Origin")
    guard let origin = head[field: "origin"], origins.contains(origin) else { return [vary] }
    return [("access-control-allow-origin", origin), exposed, vary]
  }

  /// The answer to a preflight request.
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
  /// An origin as browsers send it, which has no path.
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
