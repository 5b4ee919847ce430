import LqipSystem
import LqipRecords
import PlaceholderEncoding

extension GalleryPage {
  /// The placeholder kinds that the page renders, in page order.
  static let renderedKinds: [(kind: PlaceholderKind, name: String)] = [
    (.lqip, "LQIP"), (.blurHash, "BlurHash"), (.thumbHash, "ThumbHash"), (.tiny, "Tiny JPEG"),
    (.preview, "Preview"), (.svg, "SVG"), (.css, "CSS integer"),
  ]

  func item(for record: PlaceholderRecord) -> HTML {
    let url = record.path.url(from: directory, workingDirectory: workingDirectory)
    let parent = record.path.directory.description
    let link: HTML = """
      <a href="\(url)"><bdi><span>\(parent == "./" ? "" : parent)</span>\
      <b>\(FilePath(Array(record.path.name)).description)</b></bdi></a>
      """
    switch record.outcome {
    case .encoded(let placeholders, let byteCount, _):
      return item(
        placeholders, byteCount: byteCount, url: url, name: record.path.description, link: link)
    case .failed(let failure):
      return "<li><h3>\(link)</h3><p>\(Self.sentence(failure.message))</p></li>\n"
    }
  }

  private func item(
    _ image: ImagePlaceholders, byteCount: Int, url: String, name: String, link: HTML
  ) -> HTML {
    let drawn = Self.renderedKinds.compactMap { kind, name in
      kinds.contains(kind) ? image.text(of: kind).map { (kind: kind, name: name, text: $0) } : nil
    }
    let layers = drawn.map { Self.layer($0.kind, of: image) }
    let summary = drawn.map { kind, name, text -> HTML in
      "<span data-kind=\"\(kind.rawValue)\">\(name), \(Self.size(text.utf8.count))</span>"
    }
    let strings = drawn.map { Self.string($0.text, $0.name, id: $0.kind.rawValue) }
    let copying: HTML = drawn.isEmpty ? "" : Self.copyButton("placeholder", class: "chosen ")
    return """
      <li class="card\(image.isOpaque ? "" : " transparent")" \
      style="--width:\(image.width);--height:\(image.height)">
      <button class="stage" type="button" aria-pressed="false" aria-label="Placeholder of \(name)">\
      <span class="picture">\(HTML(layers))\
      <img class="original" src="\(url)" alt="" loading="lazy" decoding="async"></span></button>
      <button class="scripted larger" type="button" aria-label="Larger view of \(name)" hidden>\u{2922}</button>
      <h2 title="\(name)">\(link)</h2>
      <p class="facts"><span>\(image.width) × \(image.height)</span> <span>\(Self.size(byteCount))</span></p>
      \(HTML(image.warnings.map { "<p class=\"warning\">\(Self.sentence($0))</p>" }))\
      <div class="strings"><details><summary>\(drawn.isEmpty ? "Details" : HTML(summary))</summary>
      \(HTML(strings))\(markup(of: image, url: url))\
      \(HTML([image.palette].compactMap(\.self).map(Self.swatches)))</details>\
      \(copying)</div></li>

      """
  }

  /// Returns the element that renders a placeholder: an image, or an element with a style.
  private static func layer(_ kind: PlaceholderKind, of image: ImagePlaceholders) -> HTML {
    let source: String? =
      switch kind {
      case .lqip, .css, .palette: nil
      case .blurHash: image.blurHash.map { preview($0, of: image) }
      case .thumbHash: image.thumbHash.map(preview)
      case .tiny: image.tiny?.dataURL
      case .preview: image.preview?.dataURL
      case .svg: image.preview?.svgDataURL
      }
    guard let source else {
      let style = style(kind, of: image) ?? ""
      return "<span class=\"layer\" data-kind=\"\(kind.rawValue)\" style=\"\(style)\"></span>"
    }
    return "<img class=\"layer\" data-kind=\"\(kind.rawValue)\" src=\"\(source)\" alt=\"\">"
  }

  /// Returns the style that renders a CSS placeholder; `nil` if the image has none of that kind.
  private static func style(_ kind: PlaceholderKind, of image: ImagePlaceholders) -> String? {
    guard kind == .lqip else { return image.css.map { "--lqip-css:\($0)" } }
    return image.lqip.map { lqip in
      zip(["--lqip", "--lqip2"], lqip.values).map { "\($0):\($1)" }.joined(separator: ";")
    }
  }

  /// Returns the `img` element to copy, with a CSS placeholder if the image is opaque.
  private func markup(of image: ImagePlaceholders, url: String) -> HTML {
    let placeholder = Self.style(.lqip, of: image) ?? Self.style(.css, of: image) ?? ""
    let style: HTML = placeholder.isEmpty ? "" : " style=\"\(placeholder)\""
    let element: HTML = """
      <img src="\(url)" width="\(image.width)" height="\(image.height)" alt="" \
      loading="lazy"\(image.isOpaque ? style : "")>
      """
    let remark =
      image.isOpaque || placeholder.isEmpty
      ? "" : " without a placeholder, which would show through this transparent image"
    return Self.string(element.markup, "HTML", id: "html", remark: remark)
  }

  private static func swatches(_ palette: ImagePalette) -> HTML {
    let items = palette.swatches.map { swatch -> HTML in
      let (color, percent) = (swatch.color.description, Int((swatch.share * 100).rounded()))
      return "<li style=\"--swatch:\(color)\">\(color) \(percent) %</li>"
    }
    return """
      <div class="string"><span>Palette</span></div>
      <ul class="palette" aria-label="Palette">\(HTML(items))</ul>
      """
  }

  private static func string(
    _ text: String, _ name: String, id: String, remark: String = ""
  ) -> HTML {
    """
    <div class="string" data-name="\(id)"><span>\(name)\(remark)</span>\(copyButton(name))\
    <code>\(text)</code></div>

    """
  }

  private static func copyButton(_ name: String, class kind: String = "") -> HTML {
    """
    <button class="\(kind)scripted" type="button" aria-label="Copy \(name)" hidden>Copy</button>
    """
  }

  /// Returns the data URL of a small rendering of a BlurHash, which the browser enlarges.
  private static func preview(_ hash: BlurHash, of image: ImagePlaceholders) -> String {
    let longSide = max(image.width, image.height)
    return dataURL(
      try hash.bitmap(
        width: max(1, image.width * previewSide / longSide),
        height: max(1, image.height * previewSide / longSide)))
  }

  private static func preview(_ hash: ThumbHash) -> String {
    dataURL(try hash.bitmap(width: hash.bitmapSize.width, height: hash.bitmapSize.height))
  }

  private static func dataURL(_ bitmap: @autoclosure () throws -> RGBABitmap) -> String {
    // Encoding a small PNG fails only if memory runs out; the page then shows an empty layer.
    ImageFormat.png.dataURLPrefix + Base64.encode((try? bitmap().pngData()) ?? [])
  }

  private static let previewSide = 32

  /// Formats an error or a warning as a sentence.
  private static func sentence(_ message: String) -> String {
    message.prefix(1).uppercased() + message.dropFirst()
      + (message.last.map(".!?".contains) ?? true ? "" : ".")
  }

  /// Formats a byte count in bytes, kB or MB.
  private static func size(_ byteCount: Int) -> String {
    switch byteCount {
    case ..<1000: "\(byteCount) bytes"
    case ..<1_000_000: "\((byteCount + 500) / 1000) kB"
    default: "\((byteCount + 50_000) / 1_000_000).\((byteCount + 50_000) / 100_000 % 10) MB"
    }
  }
}
