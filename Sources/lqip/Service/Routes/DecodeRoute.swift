import LqipOptions
import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// The route that renders a placeholder as a PNG image, like `lqip decode`.
enum DecodeRoute {
  static let route = Route(path: "/v1/decode", isPublic: false, accept: accept)

  private struct Parameters {
    var placeholders: [PlaceholderKind: String] = [:]
    var options = PreviewOptions()

    static let table: [CommandOption<Self>] =
      PlaceholderKind.drawn.map { definition in
        let kind = definition.kind
        return CommandOption<Self>.value(
          "--\(kind.rawValue)", "STRING", { $0.placeholders[kind] = $1 },
          OptionValue<String>(allowed: "text") { $0.text },
          help: "Render this \(definition.title)")
      } + PreviewOptions.table(maximumSide: maximumSide).map { $0.lifted(to: \.options) }
  }

  /// The maximum width and height of a preview in pixels.
  ///
  /// The limit is lower than that of `lqip decode`, to limit the CPU time of a request to about 50 ms.
  private static let maximumSide = 1024

  private static func accept(_ head: RequestHead) throws(Problem) -> Acceptance {
    let preview = try preview(for: head)
    // The tag covers everything that determines the image.
    let tag = RequestHead.entityTag(
      for: Array("\(ProgramVersion.current) \(PlaceholderEncoder.algorithmVersion) \(preview)".utf8)
    )
    let fields = [("etag", tag), ("cache-control", "public, max-age=31536000, immutable")]
    guard !head.knows(tag) else { return .respond(Response(status: 304, fields: fields)) }
    return .handle(
      RequestHandler(work: .drawing) { _, _ throws(Problem) in
        do {
          return Response(
            status: 200, fields: [("content-type", "image/png")] + fields,
            body: try preview.bitmap().pngData())
        } catch {
          throw .busy("\(error)")
        }
      })
  }

  private static func preview(for head: RequestHead) throws(Problem) -> Preview {
    var parameters = Parameters()
    try QueryParameters.read(head.query, into: &parameters, by: Parameters.table)
    guard let (kind, given) = parameters.placeholders.first, parameters.placeholders.count == 1
    else {
      let names = PlaceholderKind.drawn.map(\.kind.rawValue).joined(separator: ", ")
      throw .badParameter("expected exactly one of: \(names)")
    }
    // An unescaped plus sign arrives as a space, which placeholders never contain.
    let text = given.replacing(" ", with: "+")
    do {
      return try parameters.options.preview(of: text, as: kind, maximumSide: maximumSide)
    } catch {
      switch error {
      case .malformed(let reason):
        // An unescaped number sign would end the URL.
        let isUnescaped = kind == .lqip && !text.hasPrefix("#")
        throw .badParameter(isUnescaped ? "\(reason); escape # as %23" : reason)
      case .conflict(let reason): throw .badParameter(reason)
      }
    }
  }
}
