internal import LqipBatch
internal import LqipFiles
internal import LqipRecords
internal import LqipService
internal import PlaceholderEncoding

/// A page on which people see what viewers will see: each image beside its placeholders.
///
/// It is written piece by piece, and needs nothing but the images themselves.
struct GalleryPage: Sendable {
  /// The directory that the page lies in.
  let directory: FilePath
  let workingDirectory: FilePath
  /// What is shown of each image.
  let kinds: Set<PlaceholderKind>

  private static let style =
    String(decoding: PageStyle.base + PackageResources.gallery_css, as: UTF8.self)
    // Elsewhere placeholders are not printed; here they are what there is to see.
    + (LQIPStylesheet.text + IntegerLQIPStylesheet.text)
    .replacing("@media print, (forced-colors: active)", with: "@media not all")
  private static let script = String(decoding: PackageResources.gallery_js, as: UTF8.self)

  /// Lets through the page's own style and script and images; nothing else, and nothing to anywhere.
  private static let policy = [
    "default-src 'none'", "img-src 'self' file: data:",
    "style-src-elem \(source(style))", "style-src-attr 'unsafe-inline'",
    "script-src \(source(script))", "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")

  /// The text between the tags of an element, as the policy names it.
  private static func source(_ text: String) -> String {
    "'sha256-\(SHA256Digest(of: Array(text.utf8)).base64)'"
  }

  /// Whether an open file is such a page.
  static func isOutput(_ descriptor: Int32) -> Bool {
    let beginning = try? FileDescriptor.read(descriptor, at: 0, upTo: 4096)
    return beginning.map { text in
      String(decoding: text, as: UTF8.self).contains("<title>Image placeholders</title>")
    } ?? false
  }

  /// What comes before the first image.
  var beginning: HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
    <meta name="viewport" content="width=device-width">
    <meta name="referrer" content="no-referrer">
    <link rel="icon" href="data:,">
    <title>Image placeholders</title>
    <style>\(raw: Self.style)</style>
    </head>
    <body>
    <header>
    <h1>Image placeholders</h1>
    <label class="scripted" hidden>Sort by<select>
    <option value="failures">failures first</option>
    <option value="path">path</option>
    <option value="pixels">pixels, most first</option>
    <option value="bytes">file size, largest first</option>
    </select></label>
    </header>
    <main>
    <ol>

    """
  }

  /// One image, or why it has no placeholders.
  func item(for record: PlaceholderRecord) -> HTML {
    let url = RelativeURL(to: record.path, from: directory, workingDirectory: workingDirectory)
    let heading: HTML = """
      <h2><a href="\(url.text)"><bdi><span>\(record.path.directory.description)</span>\
      \(FilePath(Array(record.path.name)).description)</bdi></a></h2>
      """
    switch record.outcome {
    case .encoded(let placeholders, let byteCount):
      return item(placeholders, byteCount: byteCount, url: url, heading: heading)
    case .failed(let failure):
      return """
        <li class="failed">\(heading)
        <p><b>\(failure.code.rawValue)</b> \(failure.message)</p></li>

        """
    }
  }

  /// What comes after the last image.
  func end(_ summary: BatchSummary) -> HTML {
    """
    </ol>
    </main>
    <p class="summary">\(summary.description)</p>
    <dialog aria-label="Larger view"><div class="stage"></div><div class="choices"></div>\
    <button type="button">Close</button></dialog>
    <script>\(raw: Self.script)</script>
    </body>
    </html>

    """
  }

  private func item(
    _ image: ImagePlaceholders, byteCount: Int, url: RelativeURL, heading: HTML
  ) -> HTML {
    let values = zip(["LQIP", "LQIP2"], [image.lqip, image.lqip2].compactMap(\.?.string))
    let properties = values.map { "--\($0.lowercased()):\($1)" }
    let integer = image.integerLQIP.map { ["--lqip-css:\($0)"] } ?? []
    let placeholder = (properties.isEmpty ? integer : properties).joined(separator: ";")
    let style: HTML = placeholder.isEmpty ? "" : " style=\"\(placeholder)\""
    // On a page, nothing takes the placeholder away from behind a transparent image.
    let markup: HTML = """
      <img src="\(url.text)" width="\(image.width)" height="\(image.height)" alt="" \
      loading="lazy"\(image.isOpaque ? style : "")>
      """
    let remark = image.isOpaque || placeholder.isEmpty ? "" : Self.transparencyRemark
    let previews: [(name: String, string: String, source: String)?] = [
      image.blurHash.map { ("BlurHash", $0.string, Self.preview($0, of: image)) },
      image.thumbHash.map { ("ThumbHash", $0.string, Self.preview($0)) },
      shown(.preview, of: image).map { ("Preview", $0.dataURL, $0.dataURL) },
      shown(.svg, of: image).map { ("SVG", $0.svgDataURL, $0.svgDataURL) },
    ]
    return """
      <li data-pixels="\(image.width * image.height)" data-bytes="\(byteCount)" \
      style="--width:\(image.width);--height:\(image.height)">\(heading)
      <div class="panes">
      <figure><a class="mat" href="\(url.text)" tabindex="-1">\
      <img class="picture" src="\(url.text)" alt="The image" loading="lazy" decoding="async"\(style)>\
      </a><figcaption class="string"><span>\(image.width) × \(image.height), \(Self.size(byteCount))</span>\
      <button class="scripted" type="button" hidden>Larger</button></figcaption></figure>
      \(HTML(previews.compactMap(\.self).map { Self.figure($0.name, $0.string, source: $0.source) }))\
      \(image.lqip == nil ? "" : Self.figure("LQIP", properties, HTML(values.map { Self.string($1, name: $0) })))\
      \(HTML([image.integerLQIP].compactMap(\.self).map { value in
        Self.figure(
          "CSS integer", integer, Self.string("\(value)", name: "CSS integer"))
      }))</div>
      \(Self.string(markup.markup, name: "HTML", remark: remark))\
      \(HTML([image.palette].compactMap(\.self).map(Self.swatches)))\
      \(HTML(image.warnings.map { "<p class=\"warning\">\($0)</p>" }))</li>

      """
  }

  /// The tiny image, if it is to be shown as this kind; both are made where either is asked for.
  private func shown(_ kind: PlaceholderKind, of image: ImagePlaceholders) -> PreviewImage? {
    kinds.contains(kind) ? image.preview : nil
  }

  private static let transparencyRemark =
    ", without a placeholder, which would stay behind the transparent image"

  private static func figure(_ name: String, _ text: String, source: String) -> HTML {
    """
    <figure><div class="mat"><img class="picture" src="\(source)" alt="Its \(name)" \
    decoding="async"></div><figcaption>\(string(text, name: name))</figcaption></figure>

    """
  }

  private static func figure(_ name: String, _ properties: [String], _ caption: HTML) -> HTML {
    """
    <figure><div class="mat"><div class="picture" role="img" aria-label="Its \(name)" \
    style="\(properties.joined(separator: ";"))"></div></div><figcaption>\(caption)</figcaption></figure>

    """
  }

  private static func swatches(_ palette: Palette) -> HTML {
    let items = palette.swatches.map { swatch -> HTML in
      let percent = Int((swatch.share * 100).rounded())
      return "<li style=\"--swatch:\(swatch.color.hex)\">\(swatch.color.hex) \(percent) %</li>"
    }
    return "<ul class=\"palette\" aria-label=\"Its colors\">\(HTML(items))</ul>"
  }

  private static func string(_ string: String, name: String, remark: String = "") -> HTML {
    """
    <div class="string"><span>\(name)\(remark)</span><button class="scripted" type="button" \
    aria-label="Copy \(name)" hidden>Copy</button><code>\(string)</code></div>
    """
  }

  /// The BlurHash as viewers draw it: small, and enlarged by the browser.
  private static func preview(_ hash: BlurHash, of image: ImagePlaceholders) -> String {
    let longSide = max(image.width, image.height)
    return dataURL(
      hash.bitmap(
        width: max(1, image.width * previewSide / longSide),
        height: max(1, image.height * previewSide / longSide)))
  }

  private static func preview(_ hash: ThumbHash) -> String {
    dataURL(hash.bitmap(width: hash.bitmapSize.width, height: hash.bitmapSize.height))
  }

  private static func dataURL(_ bitmap: Bitmap) -> String {
    // Where there is no memory for so small a file, the page goes on without it.
    ImageFormat.png.dataURLPrefix + Base64.encode((try? PNGWriter.bytes(of: bitmap)) ?? [])
  }

  private static let previewSide = 32

  /// A count of bytes in the largest unit of which there is one.
  private static func size(_ byteCount: Int) -> String {
    switch byteCount {
    case ..<1000: "\(byteCount) bytes"
    case ..<1_000_000: "\((byteCount + 500) / 1000) kB"
    default: "\((byteCount + 50_000) / 1_000_000).\((byteCount + 50_000) / 100_000 % 10) MB"
    }
  }
}
