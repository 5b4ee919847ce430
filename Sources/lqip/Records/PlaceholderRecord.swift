internal import Placeholders

/// What a batch says about one file: its placeholders, or why there are none.
struct PlaceholderRecord: Sendable {
  /// What became of the file.
  enum Outcome: Sendable {
    case encoded(ImagePlaceholders, byteCount: Int)
    case failed(RecordFailure)
  }

  /// Where the image lies; empty if it came without a name.
  let path: FilePath
  let outcome: Outcome
  /// What the bytes hash to, where somebody wants to know.
  var digest: SHA256Digest?
  /// What the record was made from, where a later run may want to use it again.
  var stamp: RecordStamp?
}

extension PlaceholderRecord {
  /// Whether the same file would give the same record again.
  var isLasting: Bool {
    guard case .failed(let failure) = outcome else { return true }
    return failure.isLasting
  }

  /// The record as an object, its members in their documented order.
  var json: JSON {
    switch outcome {
    case .encoded(let placeholders, let byteCount):
      .object(
        pathMembers + Self.members(of: placeholders, byteCount: byteCount) + digestMembers
          + (stamp?.members ?? []))
    case .failed(let failure):
      .object(pathMembers + stampOfFailure + [("error", failure.json)])
    }
  }

  private var digestMembers: [(name: String, value: JSON)] {
    digest.map { [("sha256", .string($0.hex))] } ?? []
  }

  /// What a failed file needs to be passed over the next time.
  private var stampOfFailure: [(name: String, value: JSON)] {
    guard let stamp else { return [] }
    return [("bytes", .integer(stamp.byteCount))] + digestMembers + stamp.members
  }

  /// The path in no member, in one or in two.
  ///
  /// Bytes that are not UTF-8 appear as U+FFFD in `path`; only then `path_base64` follows with
  /// the exact bytes.
  private var pathMembers: [(name: String, value: JSON)] {
    guard !path.bytes.isEmpty else { return [] }
    let text = String(decoding: path.bytes, as: UTF8.self)
    guard !text.utf8.elementsEqual(path.bytes) else { return [("path", .string(text))] }
    return [("path", .string(text)), ("path_base64", .string(Base64.encode(path.bytes)))]
  }

  private static func members(
    of placeholders: ImagePlaceholders, byteCount: Int
  ) -> [(name: String, value: JSON)] {
    let components = placeholders.blurHash.components
    let lqip = [placeholders.lqip, placeholders.lqip2].compactMap(\.self)
    return [
      ("mimetype", .string(placeholders.format.mimeType)),
      ("bytes", .integer(byteCount)),
      ("width", .integer(placeholders.width)),
      ("height", .integer(placeholders.height)),
      ("orientation", .integer(placeholders.orientation)),
      ("has_alpha", .boolean(placeholders.hasAlpha)),
      ("animated", .boolean(placeholders.isAnimated)),
      ("blurhash", .string(placeholders.blurHash.string)),
      ("components", .array([.integer(components.x), .integer(components.y)])),
    ] + zip(["lqip", "lqip2"], lqip).map { ($0, .string($1.string)) } + [
      ("average_color", .string(placeholders.averageColor.hex)),
      ("warnings", .array(placeholders.warnings.map { .string($0) })),
    ]
  }
}
