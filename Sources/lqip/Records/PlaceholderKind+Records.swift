internal import PlaceholderEncoding

extension PlaceholderKind {
  /// The members of a record that hold it, in their order.
  var memberNames: [String] {
    switch self {
    case .blurHash: ["blurhash", "components"]
    case .lqip: ["lqip", "lqip2"]
    case .thumbHash, .preview, .svg, .css, .palette: [rawValue]
    }
  }

  /// The kind that a member of any profile holds, if it holds one.
  init?(memberName: String) {
    switch memberName {
    case "components", "xyz.amorgan.blurhash": self = .blurHash
    case "lqip2": self = .lqip
    case "blurDataURL": self = .preview
    default: self.init(rawValue: memberName)
    }
  }
}

extension ImagePlaceholders {
  /// The kinds that were asked for, as members of a record.
  var members: [JSON.Member] {
    var members: [JSON.Member] = []
    if let blurHash {
      let components = [blurHash.components.x, blurHash.components.y]
      members += [
        ("blurhash", .string(blurHash.string)),
        ("components", .array(components.map { .integer($0) })),
      ]
    }
    let lqip = [lqip, lqip2].compactMap(\.self)
    members += zip(["lqip", "lqip2"], lqip).map { ($0, .string($1.string)) }
    if let thumbHash { members.append(("thumbhash", .string(thumbHash.string))) }
    if let preview {
      members += [("preview", .string(preview.dataURL)), ("svg", .string(preview.svgDataURL))]
    }
    if let integerLQIP { members.append(("css", .integer(integerLQIP.value))) }
    if let palette { members.append(("palette", palette.json)) }
    return members
  }

  /// What a kind is without any name; nil if it was not asked for.
  func text(of kind: PlaceholderKind) -> String? {
    switch kind {
    case .blurHash: blurHash?.string
    case .lqip: lqip.map { first in [first, lqip2].compactMap(\.?.string).joined(separator: " ") }
    case .thumbHash: thumbHash?.string
    case .preview: preview?.dataURL
    case .svg: preview?.svgDataURL
    case .css: integerLQIP?.description
    case .palette: palette?.swatches.map(\.color.hex).joined(separator: " ")
    }
  }
}

extension Palette {
  /// An object a color, with its share in three decimals.
  fileprivate var json: JSON {
    .array(
      swatches.map { swatch in
        .object([
          ("color", .string(swatch.color.hex)),
          ("share", .number((Double(swatch.share) * 1000).rounded() / 1000)),
        ])
      })
  }
}
