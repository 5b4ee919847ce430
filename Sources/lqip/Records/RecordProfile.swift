internal import LqipFiles
internal import PlaceholderEncoding

/// For whom records are made: which members they have and what these are called.
package enum RecordProfile: String, CaseIterable, Sendable {
  /// Everything there is to say.
  case plain
  /// A media attachment of Mastodon's API.
  case mastodon
  /// The `info` of a Matrix event, with the BlurHash as MSC2448 names it.
  case matrix
  /// A document attached to an ActivityPub object.
  case activitypub
  /// The values of a Nostr `imeta` tag (NIP-92).
  case nostr

  /// The members of an image's record, in their order.
  var fields: [String] {
    switch self {
    case .plain:
      [
        "mimetype", "bytes", "width", "height", "orientation", "has_alpha", "animated",
        "blurhash", "components", "lqip", "lqip2", "average_color", "warnings",
      ]
    case .mastodon: ["blurhash", "meta"]
    case .matrix: ["w", "h", "mimetype", "size", "xyz.amorgan.blurhash"]
    case .activitypub: ["mediaType", "width", "height", "blurhash"]
    case .nostr: ["m", "dim", "blurhash", "x"]
    }
  }

  /// What the profile says of an image.
  ///
  /// - Parameters:
  ///   - image: The image and its placeholders.
  ///   - byteCount: The size of its file.
  ///   - digest: The digest of its file, if it is known.
  /// - Returns: The members, in the order of `fields`.
  func members(
    of image: ImagePlaceholders, byteCount: Int, digest: SHA256Digest?
  ) -> [JSON.Member] {
    let mediaType = JSON.string(image.format.mimeType)
    let blurHash = JSON.string(image.blurHash.string)
    let width = JSON.integer(image.width)
    let height = JSON.integer(image.height)
    let size = JSON.string("\(image.width)x\(image.height)")
    switch self {
    case .plain:
      let components = [image.blurHash.components.x, image.blurHash.components.y]
      let lqip = [image.lqip, image.lqip2].compactMap(\.self)
      return [
        ("mimetype", mediaType),
        ("bytes", .integer(byteCount)),
        ("width", width),
        ("height", height),
        ("orientation", .integer(image.orientation.rawValue)),
        ("has_alpha", .boolean(image.hasAlpha)),
        ("animated", .boolean(image.isAnimated)),
        ("blurhash", blurHash),
        ("components", .array(components.map { .integer($0) })),
      ] + zip(["lqip", "lqip2"], lqip).map { ($0, .string($1.string)) } + [
        ("average_color", .string(image.averageColor.hex)),
        ("warnings", .array(image.warnings.map { .string($0) })),
      ]
    case .mastodon:
      let aspect = JSON.number(Double(image.width) / Double(image.height))
      let original = JSON.object([
        ("width", width), ("height", height), ("size", size), ("aspect", aspect),
      ])
      return [("blurhash", blurHash), ("meta", .object([("original", original)]))]
    case .matrix:
      return [
        ("w", width), ("h", height), ("mimetype", mediaType), ("size", .integer(byteCount)),
        ("xyz.amorgan.blurhash", blurHash),
      ]
    case .activitypub:
      return [
        ("mediaType", mediaType), ("width", width), ("height", height), ("blurhash", blurHash),
      ]
    case .nostr:
      let members = [("m", mediaType), ("dim", size), ("blurhash", blurHash)]
      return members + (digest.map { [("x", .string($0.hex))] } ?? [])
    }
  }
}
