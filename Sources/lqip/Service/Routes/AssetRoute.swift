internal import CLqipEncoderModule
import LqipOptions
import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// The static files, which change only with the version of the program.
enum AssetRoute {
  static let all = files + (encoderModule.isEmpty ? [] : [encoder])

  private static let files = [
    route(
      "/", type: "text/html; charset=utf-8", page,
      fields: [("content-security-policy", policy), ("referrer-policy", "no-referrer")]),
    route("/openapi.json", type: "application/json", PackageResources.openapi_json),
    route("/page.css", type: css, PageStyle.base + PackageResources.page_css),
    route("/lqip.css", type: css, Array(LQIP.stylesheet.utf8)),
    route("/lqip-css.css", type: css, Array(CSSInteger.stylesheet.utf8)),
    route("/blurhash.js", type: javaScript, PackageResources.blurhash_js),
    route("/cosines.js", type: javaScript, PackageResources.cosines_js),
    route("/encode.js", type: javaScript, PackageResources.encode_js),
    route("/files.js", type: javaScript, PackageResources.files_js),
    route("/item.js", type: javaScript, PackageResources.item_js),
    route("/local.js", type: javaScript, PackageResources.local_js),
    route("/page.js", type: javaScript, PackageResources.page_js),
    route("/picture.js", type: javaScript, PageStyle.script),
    route("/pixels.js", type: javaScript, PackageResources.pixels_js),
    route("/png.js", type: javaScript, PackageResources.png_js),
    route("/service.js", type: javaScript, PackageResources.service_js),
    route("/thumbhash.js", type: javaScript, PackageResources.thumbhash_js),
    route(
      "/worker.js", type: javaScript, PackageResources.worker_js,
      fields: [("content-security-policy", workerPolicy)]),
    route("/samples/fruit.jpg", type: "image/jpeg", PackageResources.fruit_jpg),
    route("/samples/mountains.jpg", type: "image/jpeg", PackageResources.mountains_jpg),
    route("/samples/portrait.jpg", type: "image/jpeg", PackageResources.portrait_jpg),
    route("/samples/room.jpg", type: "image/jpeg", PackageResources.room_jpg),
    route("/samples/street.jpg", type: "image/jpeg", PackageResources.street_jpg),
  ]

  private static let encoder = route(
    "/all.wasm", type: "application/wasm", encoderModule, fields: [("content-encoding", "gzip")])

  private static let css = "text/css; charset=utf-8"
  private static let javaScript = "text/javascript; charset=utf-8"

  private static func route(
    _ path: String, type: String, _ content: [UInt8], fields: [HeaderField] = []
  ) -> Route {
    let tag = RequestHead.entityTag(for: content)
    // Browsers revalidate the files each time, so a page never runs a script of another version.
    let shared = [("etag", tag), ("cache-control", "no-cache")] + fields
    let complete = Response(status: 200, fields: [("content-type", type)] + shared, body: content)
    return Route(path: path) { head in
      .respond(head.knows(tag) ? Response(status: 304, fields: shared) : complete)
    }
  }

  private static let page = Array(
    String(decoding: PackageResources.index_html, as: UTF8.self)
      .replacing("{{tiny}}", with: TinyJPEG.header)
      .replacing("{{local}}", with: encoderModule.isEmpty ? "hidden" : "")
      .replacing("{{version}}", with: ProgramVersion.current)
      .replacing("{{documentation}}", with: ProgramVersion.documentation).utf8)

  /// The WebAssembly module that encodes images in a browser, in gzip; empty if the program was built without it.
  private static let encoderModule: [UInt8] = {
    var size = 0
    let start = unsafe lqip_encoder_module(&size)
    return unsafe Array(UnsafeBufferPointer(start: start, count: size))
  }()

  /// The policy of the worker that runs the module; no other script may compile code.
  private static let workerPolicy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

  /// The content security policy of the page; it allows only files of this server and the user's images.
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")
}

/// The style and script shared by the server's page and the gallery.
package enum PageStyle {
  /// The common CSS rules, which precede the rules of each page.
  package static let base = PackageResources.base_css
  /// The script that copies placeholder strings, and shows the larger view.
  package static let script = PackageResources.picture_js
}
