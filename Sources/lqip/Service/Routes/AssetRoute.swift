import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// A static file that changes only with the version of the program.
struct AssetRoute: Route {
  let path: String
  private let content: [UInt8]
  private let tag: EntityTag
  private let fields: [HeaderField]

  init(
    _ path: String, type: String, _ content: [UInt8],
    fields: [HeaderField] = []
  ) {
    self.path = path
    self.content = content
    tag = EntityTag(of: content)
    // Browsers revalidate the files each time, so a page never runs a script of another version.
    self.fields =
      [("content-type", type), ("etag", tag.text), ("cache-control", "no-cache")] + fields
  }

  func accept(_ head: RequestHead) -> Acceptance {
    .respond(
      tag.isKnown(to: head)
        ? Response(status: 304, fields: fields.filter { $0.name != "content-type" })
        : Response(status: 200, fields: fields, body: content))
  }

  /// All static files.
  static let all =
    [
      AssetRoute(
        "/", type: "text/html; charset=utf-8", page,
        fields: [("content-security-policy", policy), ("referrer-policy", "no-referrer")]),
      AssetRoute("/openapi.json", type: "application/json", PackageResources.openapi_json),
    ] + stylesheets + scripts + samples

  private static let stylesheets = [
    ("page", PageStyle.base + PackageResources.page_css), ("lqip", Array(LQIP.stylesheet.utf8)),
    ("lqip-css", Array(CSSInteger.stylesheet.utf8)),
  ].map { AssetRoute("/\($0).css", type: "text/css; charset=utf-8", $1) }

  private static let scripts = [
    ("files", PackageResources.files_js), ("item", PackageResources.item_js),
    ("page", PackageResources.page_js), ("picture", PageStyle.script),
    ("service", PackageResources.service_js),
  ].map { AssetRoute("/\($0).js", type: "text/javascript; charset=utf-8", $1) }

  private static let samples = [
    ("fruit", PackageResources.fruit_jpg), ("mountains", PackageResources.mountains_jpg),
    ("portrait", PackageResources.portrait_jpg), ("room", PackageResources.room_jpg),
    ("street", PackageResources.street_jpg),
  ].map { AssetRoute("/samples/\($0).jpg", type: "image/jpeg", $1) }

  private static let page = Array(
    String(decoding: PackageResources.index_html, as: UTF8.self)
      .replacing("{{tiny}}", with: TinyJPEG.header)
      .replacing("{{version}}", with: ProgramVersion.current)
      .replacing("{{documentation}}", with: ProgramVersion.documentation).utf8)

  /// The content security policy of the page; it allows only files of this server and the user's
  /// images.
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")
}

/// The style and script shared by the server's page and the gallery.
package enum PageStyle {
  /// The common CSS rules, which precede the rules of each page.
  package static let base = PackageResources.base_css
  /// The script that shows the placeholder while a picture is pressed and held, and copies placeholder
  /// strings to the clipboard.
  package static let script = PackageResources.picture_js
}
