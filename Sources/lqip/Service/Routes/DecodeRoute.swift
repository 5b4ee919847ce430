import LqipRecords
import PlaceholderEncoding

/// The route that renders a placeholder as a PNG image, like `lqip decode`.
enum DecodeRoute {
  static let route = Route(path: "/v1/decode", isPublic: false) { head throws(Problem) in
    try accept(head)
  }

  /// The query parameters of a request.
  private struct Parameters {
    var blurHash: String?
    var lqip: String?
    var thumbHash: String?
    var tiny: String?
    var css: String?
    var options = PreviewOptions()

    static let table: [CommandOption<Self>] =
      [
        .value("--blurhash", "STRING", \.blurHash, .text, help: "Render this BlurHash"),
        .value("--lqip", "STRING", \.lqip, .text, help: "Render this LQIP"),
        .value("--thumbhash", "STRING", \.thumbHash, .text, help: "Render this ThumbHash"),
        .value("--tiny", "STRING", \.tiny, .text, help: "Render this tiny JPEG"),
        .value("--css", "INTEGER", \.css, .text, help: "Render this CSS integer"),
      ] + PreviewOptions.table(maximumSide: maximumSide).map { $0.lifted(to: \.options) }
  }

  /// The maximum width and height of a preview in pixels.
  ///
  /// The limit is lower than that of `lqip decode`, to limit the CPU time of a request to about 20 ms.
  private static let maximumSide = 1024

  private static func accept(_ head: RequestHead) throws(Problem) -> Acceptance {
    let preview = try preview(for: head)
    // The tag covers everything that determines the image.
    let tag = EntityTag(
      of: Array("\(ProgramVersion.current) \(PlaceholderEncoder.algorithmVersion) \(preview)".utf8))
    let fields = [
      ("etag", tag.text), ("cache-control", "public, max-age=31536000, immutable"),
    ]
    guard !tag.isKnown(to: head) else { return .respond(Response(status: 304, fields: fields)) }
    return .handle(
      RequestHandler(work: .drawing) { _, _ throws(Problem) in
        do {
          return Response(
            status: 200, fields: [("content-type", "image/png")] + fields,
            body: try preview.bitmap.pngData())
        } catch {
          throw .busy("\(error)")
        }
      })
  }

  private static func preview(for head: RequestHead) throws(Problem) -> Preview {
    var parameters = Parameters()
    try QueryParameters.read(head.query, into: &parameters, by: Parameters.table)
    let given: [(text: String, kind: PreviewKind)] = [
      // An unescaped plus sign arrives as a space, which these strings never contain.
      (parameters.blurHash.map(withPlusSigns), .blurHash), (parameters.lqip, .lqip),
      (parameters.thumbHash.map(withPlusSigns), .thumbHash),
      (parameters.tiny.map(withPlusSigns), .tiny), (parameters.css, .css),
    ].compactMap { text, kind in text.map { ($0, kind) } }
    guard let (text, kind) = given.first, given.count == 1 else {
      throw .badParameter("expected exactly one of: blurhash, lqip, thumbhash, tiny, css")
    }
    do {
      return try parameters.options.preview(
        of: text, as: kind, maximumSide: maximumSide)
    } catch {
      switch error {
      case .malformed(let reason):
        // An unescaped number sign ends the URL, so the value is empty.
        throw .badParameter(kind == .lqip && text.isEmpty ? "\(reason); escape # as %23" : reason)
      case .conflict(let reason): throw .badParameter(reason)
      }
    }
  }

  private static func withPlusSigns(_ text: String) -> String {
    String(text.map { $0 == " " ? "+" : $0 })
  }
}

extension OptionValue<String> {
  /// Text without restrictions.
  fileprivate static var text: Self {
    OptionValue(allowed: "text") { $0.text }
  }
}
