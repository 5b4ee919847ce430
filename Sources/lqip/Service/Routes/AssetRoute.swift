internal import PlaceholderEncoding

/// A response that depends on nothing but the version of the program.
struct AssetRoute: Route {
  let path: String
  private let content: [UInt8]
  private let tag: EntityTag
  private let fields: [(name: String, value: String)]

  init(
    _ path: String, type: String, _ content: [UInt8],
    fields: [(name: String, value: String)] = []
  ) {
    self.path = path
    self.content = content
    tag = EntityTag(of: content)
    // Small enough to be asked for each time, so that no page meets the script of another version.
    self.fields =
      [("content-type", type), ("etag", tag.text), ("cache-control", "no-cache")] + fields
  }

  func respond(to request: Request) -> Response {
    tag.isKnown(to: request.head)
      ? Response(status: 304, fields: fields.filter { $0.name != "content-type" }, body: [])
      : Response(status: 200, fields: fields, body: content)
  }

  /// All of them.
  static let all = [
    AssetRoute(
      "/", type: "text/html; charset=utf-8", PackageResources.index_html,
      fields: [("content-security-policy", policy), ("referrer-policy", "no-referrer")]),
    AssetRoute(
      "/page.css", type: "text/css; charset=utf-8", PageStyle.base + PackageResources.page_css),
    AssetRoute("/files.js", type: "text/javascript; charset=utf-8", PackageResources.files_js),
    AssetRoute("/item.js", type: "text/javascript; charset=utf-8", PackageResources.item_js),
    AssetRoute("/page.js", type: "text/javascript; charset=utf-8", PackageResources.page_js),
    AssetRoute(
      "/service.js", type: "text/javascript; charset=utf-8", PackageResources.service_js),
    AssetRoute("/lqip.css", type: "text/css; charset=utf-8", Array(LQIPStylesheet.text.utf8)),
    AssetRoute(
      "/lqip-css.css", type: "text/css; charset=utf-8", Array(IntegerLQIPStylesheet.text.utf8)),
    AssetRoute("/openapi.json", type: "application/json", PackageResources.openapi_json),
  ]

  /// Lets the page load what this server has and what the person gives it; nothing else.
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")
}
