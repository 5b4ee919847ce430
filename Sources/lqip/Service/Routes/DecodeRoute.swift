import LqipRecords
import PlaceholderEncoding

/// Draws a placeholder string as a PNG image, as `lqip decode` does.
struct DecodeRoute: Route {
  let path = "/v1/decode"
  let isPublic = false

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

  func accept(_ head: RequestHead) throws(Problem) -> Acceptance {
    let preview = try Self.preview(for: head)
    // Names the image by all that it follows from.
    let tag = EntityTag(
      of: Array("\(ProgramVersion.current) \(PlaceholderEncoder.algorithmVersion) \(preview)".utf8))
    let fields = [
      ("etag", tag.text), ("cache-control", "public, max-age=31536000, immutable"),
    ]
    guard !tag.isKnown(to: head) else { return .answer(Response(status: 304, fields: fields)) }
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
    var choices = Choices()
    try QueryParameters.read(head.query, into: &choices, by: Choices.table)
    let given: [(text: String, kind: PreviewKind)] = [
      // A plus sign that was not escaped arrives as a space, which is no digit of either hash.
      (choices.blurHash.map(withPlusSigns), .blurHash), (choices.lqip, .lqip),
      (choices.thumbHash.map(withPlusSigns), .thumbHash), (choices.css, .css),
    ].compactMap { text, kind in text.map { ($0, kind) } }
    guard let (text, kind) = given.first, given.count == 1 else {
      throw .badParameter("expected exactly one of: blurhash, lqip, thumbhash, css")
    }
    do {
      return try choices.options.preview(
        of: text, as: kind, maximumSide: maximumSide)
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
}

extension OptionValue<String> {
  /// Anything.
  fileprivate static var text: Self {
    OptionValue(allowed: "text") { $0.text }
  }
}
