package import LqipOptions

/// Which pages of other origins may use the server from a browser.
struct CrossOriginPolicy: Sendable {
  /// The origins, such as `https://example.org`; `*` is any.
  let origins: [String]

  /// What a response says about it.
  func fields(for head: RequestHead) -> [(name: String, value: String)] {
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

  /// What a browser is told that asks before it sends.
  func preflightFields(methods: String) -> [(name: String, value: String)] {
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
    OptionValue(allowed: "'*' or an origin such as https://example.org") { argument in
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
