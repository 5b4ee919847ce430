package import LqipSystem
package import PlaceholderEncoding

/// The record of one file: its placeholders or an error.
package struct PlaceholderRecord: Sendable {
  /// The result of encoding a file.
  package enum Outcome: Sendable {
    case encoded(ImagePlaceholders, byteCount: Int)
    case failed(RecordFailure)
  }

  /// The path in the record; empty for an image without a file name.
  package let path: FilePath
  package let outcome: Outcome
  /// The SHA-256 digest of the file; `nil` if the profile does not need it.
  package var digest: SHA256Digest?
  /// The stamp; `nil` if the output does not support incremental updates.
  package var stamp: RecordStamp?

  package init(
    path: FilePath, outcome: Outcome, digest: SHA256Digest? = nil, stamp: RecordStamp? = nil
  ) {
    self.path = path
    self.outcome = outcome
    self.digest = digest
    self.stamp = stamp
  }

  /// The error; `nil` for an encoded image.
  package var failure: RecordFailure? {
    if case .failed(let failure) = outcome { failure } else { nil }
  }

  /// Returns the text of one placeholder; empty for an error record.
  package func text(of kind: PlaceholderKind) -> String {
    guard case .encoded(let image, _) = outcome else { return "" }
    return image.text(of: kind) ?? ""
  }

  /// The members of a record with profile `plain`, in the documented order.
  package var members: [JSON.Member] {
    let path = RecordPath(path).members
    let stamp = stamp.map { [("stamp", JSON.string($0.text))] } ?? []
    switch outcome {
    case .encoded(let image, let byteCount):
      return path + image.properties(byteCount: byteCount) + image.members + [
        ("average_color", .string("\(image.averageColor)")),
        ("warnings", .array(image.warnings.map { .string($0) })),
      ] + stamp
    case .failed(let failure): return path + [("error", failure.json)] + stamp
    }
  }
}

extension PlaceholderKind {
  /// The names of the record members for this kind, in order.
  var memberNames: [String] {
    switch self {
    case .blurHash: ["blurhash", "components"]
    case .lqip: ["lqip", "lqip2"]
    case .thumbHash, .tiny, .preview, .svg, .css, .palette: [rawValue]
    }
  }
}

extension ImagePlaceholders {
  fileprivate func properties(byteCount: Int) -> [JSON.Member] {
    [
      ("mimetype", .string(format.mimeType)), ("bytes", .integer(byteCount)),
      ("width", .integer(width)), ("height", .integer(height)),
      ("orientation", .integer(orientation.rawValue)), ("has_alpha", .boolean(hasAlpha)),
      ("opaque", .boolean(isOpaque)), ("animated", .boolean(isAnimated)),
    ] + (frameCount.map { [("frame_count", .integer($0))] } ?? [])
  }

  /// The record members of the generated placeholders.
  var members: [JSON.Member] {
    var members: [JSON.Member] = []
    if let blurHash {
      let components = [blurHash.components.x, blurHash.components.y]
      members += [
        ("blurhash", .string("\(blurHash)")),
        ("components", .array(components.map { .integer($0) })),
      ]
    }
    members += zip(["lqip", "lqip2"], lqip?.values ?? []).map { ($0, .string("\($1)")) }
    if let thumbHash { members.append(("thumbhash", .string("\(thumbHash)"))) }
    if let tiny { members.append(("tiny", .string("\(tiny)"))) }
    if let preview {
      members += [("preview", .string(preview.dataURL)), ("svg", .string(preview.svgDataURL))]
    }
    if let css { members.append(("css", .integer(css.value))) }
    if let palette { members.append(("palette", palette.json)) }
    return members
  }

  /// Returns the text of one placeholder, or `nil` if that kind was not requested.
  func text(of kind: PlaceholderKind) -> String? {
    switch kind {
    case .blurHash: blurHash?.description
    case .lqip: lqip?.description
    case .thumbHash: thumbHash?.description
    case .tiny: tiny?.description
    case .preview: preview?.dataURL
    case .svg: preview?.svgDataURL
    case .css: css?.description
    case .palette: palette?.swatches.map(\.color.description).joined(separator: " ")
    }
  }
}

extension ImagePalette {
  /// An array with one object per color; shares are rounded to three decimals.
  fileprivate var json: JSON {
    .array(
      swatches.map { swatch in
        .object([
          ("color", .string("\(swatch.color)")),
          ("share", .number((Double(swatch.share) * 1000).rounded() / 1000)),
        ])
      })
  }
}
