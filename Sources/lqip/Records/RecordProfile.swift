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
  /// The properties of an image of Next.js, which are spread into its element.
  case next
  /// A data file of Hugo.
  case hugo
  /// A data file of Eleventy.
  case eleventy

  /// The members of an image's record, in their order.
  var fields: [String] {
    switch self {
    case .plain:
      [
        "mimetype", "bytes", "width", "height", "orientation", "has_alpha", "opaque",
        "animated", "frame_count", "blurhash", "components", "lqip", "lqip2", "thumbhash",
        "preview",
        "svg", "css", "palette", "average_color", "warnings",
      ]
    case .mastodon: ["blurhash", "meta"]
    case .matrix: ["w", "h", "mimetype", "size", "xyz.amorgan.blurhash"]
    case .activitypub: ["mediaType", "width", "height", "blurhash"]
    case .nostr: ["m", "dim", "blurhash", "x"]
    case .next: ["src", "width", "height", "blurDataURL"]
    case .hugo, .eleventy:
      ["src", "width", "height", "opaque", "blurhash", "lqip", "preview", "average_color"]
    }
  }

  /// The members that the records of some images lack, whatever was asked for.
  static let rareFields: Set = ["frame_count", "lqip2"]

  /// The kinds that are made without a choice: those that the profile is read for.
  var kinds: Set<PlaceholderKind> {
    switch self {
    case .plain: PlaceholderEncoder.defaultKinds
    case .mastodon, .matrix, .activitypub, .nostr: [.blurHash]
    case .next: [.preview]
    case .hugo, .eleventy: [.blurHash, .lqip, .preview]
    }
  }

  /// The format that its consumers read.
  var format: RecordFormat {
    switch self {
    case .plain, .mastodon, .matrix, .activitypub, .nostr: .ndjson
    case .next, .hugo, .eleventy: .json
    }
  }

  /// The members of an image's record that has these kinds: those of others are left out, and those for
  /// which the profile has no name come last.
  func fields(of kinds: Set<PlaceholderKind>) -> [String] {
    var others = kinds
    let fields = fields.filter { field in
      guard let kind = PlaceholderKind(memberName: field) else { return true }
      others.remove(kind)
      return kinds.contains(kind)
    }
    return fields + PlaceholderKind.allCases.filter(others.contains).flatMap(\.memberNames)
  }

  /// What the profile says of an image, and the kinds for which it has no name.
  ///
  /// - Parameters:
  ///   - image: The image and its placeholders.
  ///   - byteCount: The size of its file.
  ///   - digest: The digest of its file, if it is known.
  /// - Returns: The members.
  func members(
    of image: ImagePlaceholders, byteCount: Int, digest: SHA256Digest?
  ) -> [JSON.Member] {
    let own = ownMembers(of: image, byteCount: byteCount, digest: digest)
    return own + image.members.filter { kind in !own.contains { $0.name == kind.name } }
  }

  private func ownMembers(
    of image: ImagePlaceholders, byteCount: Int, digest: SHA256Digest?
  ) -> [JSON.Member] {
    let mediaType = JSON.string(image.format.mimeType)
    let width = JSON.integer(image.width)
    let height = JSON.integer(image.height)
    let size = JSON.string("\(image.width)x\(image.height)")
    switch self {
    case .plain:
      let frames = image.frameCount.map { [("frame_count", JSON.integer($0))] }
      let properties: [JSON.Member] = [
        ("mimetype", mediaType),
        ("bytes", .integer(byteCount)),
        ("width", width),
        ("height", height),
        ("orientation", .integer(image.orientation.rawValue)),
        ("has_alpha", .boolean(image.hasAlpha)),
        ("opaque", .boolean(image.isOpaque)),
        ("animated", .boolean(image.isAnimated)),
      ]
      return properties + (frames ?? []) + image.members + [
        ("average_color", .string(image.averageColor.hex)),
        ("warnings", .array(image.warnings.map { .string($0) })),
      ]
    case .mastodon:
      let aspect = JSON.number(Double(image.width) / Double(image.height))
      let original = JSON.object([
        ("width", width), ("height", height), ("size", size), ("aspect", aspect),
      ])
      return blurHash(of: image) + [("meta", .object([("original", original)]))]
    case .matrix:
      return [
        ("w", width), ("h", height), ("mimetype", mediaType), ("size", .integer(byteCount)),
      ] + blurHash(of: image, named: "xyz.amorgan.blurhash")
    case .activitypub:
      return [("mediaType", mediaType), ("width", width), ("height", height)] + blurHash(of: image)
    case .nostr:
      let members = [("m", mediaType), ("dim", size)] + blurHash(of: image)
      return members + (digest.map { [("x", .string($0.hex))] } ?? [])
    case .next:
      let preview = image.preview.map { [("blurDataURL", JSON.string($0.dataURL))] }
      return [("width", width), ("height", height)] + (preview ?? [])
    case .hugo, .eleventy:
      return [
        ("width", width), ("height", height), ("opaque", .boolean(image.isOpaque)),
        ("average_color", .string(image.averageColor.hex)),
      ]
    }
  }

  private func blurHash(
    of image: ImagePlaceholders, named name: String = "blurhash"
  ) -> [JSON.Member] {
    image.blurHash.map { [(name, .string($0.string))] } ?? []
  }
}
