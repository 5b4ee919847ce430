package import LqipSystem
package import PlaceholderEncoding

/// The record of one file: its placeholders or an error.
package struct PlaceholderRecord: Sendable {
  /// The path in the record; empty for an image without a file name.
  package let path: FilePath
  package let outcome: EncodingResult
  /// The stamp; `nil` if the output does not support incremental updates, and after a transient error, so that a later
  /// run retries the file.
  package let stamp: RecordStamp?

  package init(path: FilePath, outcome: EncodingResult, stamp: RecordStamp? = nil) {
    self.path = path
    self.outcome = outcome
    let isTransient =
      if case .failed(let failure) = outcome { !failure.code.isPermanent } else { false }
    self.stamp = isTransient ? nil : stamp
  }

  /// The error; `nil` for an encoded image.
  package var failure: RecordFailure? {
    if case .failed(let failure) = outcome { failure } else { nil }
  }

  /// The SHA-256 digest of the file; `nil` if the profile does not need it.
  package var digest: SHA256Digest? {
    if case .encoded(_, _, let digest) = outcome { digest } else { nil }
  }

  /// Returns the text of one placeholder; empty for an error record.
  package func text(of kind: PlaceholderKind) -> String {
    guard case .encoded(let image, _, _) = outcome else { return "" }
    return image.text(of: kind) ?? ""
  }

  /// The members of the `plain` record, in the documented order.
  package var members: [JSON.Member] {
    var members = RecordPath(path).members
    switch outcome {
    case .encoded(let image, let byteCount, _): members += image.members(byteCount: byteCount)
    case .failed(let failure): members.append(("error", failure.json))
    }
    if let stamp { members.append(("stamp", .string(stamp.text))) }
    return members
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
  /// The members of a `plain` record between the path and the stamp.
  fileprivate func members(byteCount: Int) -> [JSON.Member] {
    var members: [JSON.Member] = [
      ("mimetype", .string(format.mimeType)), ("bytes", .integer(byteCount)),
      ("width", .integer(width)), ("height", .integer(height)),
      ("orientation", .integer(orientation.rawValue)), ("has_alpha", .boolean(hasAlpha)),
      ("opaque", .boolean(isOpaque)), ("animated", .boolean(isAnimated)),
    ]
    if let frameCount { members.append(("frame_count", .integer(frameCount))) }
    if let blurHash {
      let (x, y) = (blurHash.components.x, blurHash.components.y)
      members.append(("blurhash", .string("\(blurHash)")))
      members.append(("components", .array([.integer(x), .integer(y)])))
    }
    if let lqip {
      for (name, value) in zip(["lqip", "lqip2"], lqip.values) {
        members.append((name, .string("\(value)")))
      }
    }
    if let thumbHash { members.append(("thumbhash", .string("\(thumbHash)"))) }
    if let tiny { members.append(("tiny", .string("\(tiny)"))) }
    if let preview {
      members.append(("preview", .string(preview.dataURL)))
      members.append(("svg", .string(preview.svgDataURL)))
    }
    if let css { members.append(("css", .integer(css.value))) }
    if let palette { members.append(("palette", palette.json)) }
    members.append(("average_color", .string("\(averageColor)")))
    if let isComplete { members.append(("complete", .boolean(isComplete))) }
    members.append(("warnings", .array(warnings.map { .string($0) })))
    return members
  }

  /// Returns the text of one placeholder, or `nil` if that kind was not requested.
  package func text(of kind: PlaceholderKind) -> String? {
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
  /// An array with one object per color; shares are rounded to three decimal places.
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
