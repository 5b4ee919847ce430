internal import LqipOptions
internal import PlaceholderEncoding

/// Draws a placeholder string as a PNG image, as `lqip decode` does.
struct DecodeRoute: Route {
  let path = "/v1/decode"
  let isPublic = false
  let decodes = true

  /// What a request asks for.
  private struct Choices {
    var blurHash: String?
    var lqip: String?
    var thumbHash: String?
    var css: String?
    var options = PreviewOptions()

    static let table: [CommandOption<Self>] =
      [
        .value("--blurhash", "STRING", \.blurHash, .text, help: "Render this BlurHash"),
        .value("--lqip", "STRING", \.lqip, .text, help: "Render this LQIP"),
        .value("--thumbhash", "STRING", \.thumbHash, .text, help: "Render this ThumbHash"),
        .value("--css", "INTEGER", \.css, .text, help: "Render this CSS integer"),
      ] + PreviewOptions.table(maximumSide: maximumSide).map { $0.lifted(to: \.options) }
  }

  /// Smaller than the command's: an image of this size takes about 20 ms of CPU time.
  private static let maximumSide = 1024

  func answer(to head: RequestHead) throws(Problem) -> Response? {
    let tag = Self.tag(of: try preview(for: head))
    return tag.isKnown(to: head) ? Response(status: 304, fields: Self.fields(tag), body: []) : nil
  }

  func respond(to request: Request) throws(Problem) -> Response {
    let preview = try preview(for: request.head)
    let file: [UInt8]
    do {
      file = try PNGWriter.bytes(of: preview.bitmap)
    } catch {
      throw .busy("\(error)")
    }
    return Response(
      status: 200, fields: [("content-type", "image/png")] + Self.fields(Self.tag(of: preview)),
      body: file)
  }

  private func preview(for head: RequestHead) throws(Problem) -> Preview {
    var choices = Choices()
    try QueryParameters.read(head.query, into: &choices, by: Choices.table)
    let given: [(text: String, kind: PreviewKind)] = [
      // A plus sign that was not escaped arrives as a space, which is no digit of either hash.
      (choices.blurHash.map(Self.withPlusSigns), .blurHash), (choices.lqip, .lqip),
      (choices.thumbHash.map(Self.withPlusSigns), .thumbHash), (choices.css, .css),
    ].compactMap { text, kind in text.map { ($0, kind) } }
    guard let (text, kind) = given.first, given.count == 1 else {
      throw .badParameter("expected exactly one of: blurhash, lqip, thumbhash, css")
    }
    do {
      return try choices.options.preview(
        of: text, as: kind, maximumSide: Self.maximumSide)
    } catch {
      switch error {
      case .malformed(let reason):
        // A number sign that was not escaped ends the URL.
        throw .badParameter(kind == .lqip && text.isEmpty ? "\(reason); escape # as %23" : reason)
      case .conflict(let reason): throw .badParameter(reason)
      }
    }
  }

  private static func withPlusSigns(_ text: String) -> String {
    String(text.map { $0 == " " ? "+" : $0 })
  }

  /// Names the image by all that it follows from.
  private static func tag(of preview: Preview) -> EntityTag {
    EntityTag(
      of: Array("\(ProgramVersion.current) \(PlaceholderEncoder.algorithmVersion) \(preview)".utf8))
  }

  private static func fields(_ tag: EntityTag) -> [(name: String, value: String)] {
    [("etag", tag.text), ("cache-control", "public, max-age=31536000, immutable")]
  }
}

extension OptionValue<String> {
  /// Anything.
  fileprivate static var text: Self {
    OptionValue(allowed: "text") { $0.text }
  }
}
