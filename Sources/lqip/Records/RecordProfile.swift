import LqipSystem
package import PlaceholderEncoding

/// The consumer of records, which determines their members.
package enum RecordProfile: String, CaseIterable, Sendable {
  /// Every member of the record format.
  case plain
  /// A media attachment of Mastodon's API.
  case mastodon
  /// The `info` object of a Matrix event, with the BlurHash member of MSC2448.
  case matrix
  /// A document attached to an ActivityPub object.
  case activitypub
  /// The values of a Nostr `imeta` tag (NIP-92).
  case nostr

  /// The default placeholder kinds.
  package var kinds: [PlaceholderKind] {
    self == .plain ? PlaceholderEncoder.Options().kinds : [.blurHash]
  }

  /// Returns the CSV columns between the path and the error: those of a `plain` record with every member.
  func columns(of kinds: [PlaceholderKind]) -> [String] {
    let names =
      [
        "mimetype", "bytes", "width", "height", "orientation", "has_alpha", "opaque", "animated",
        "frame_count",
      ] + memberNames(of: kinds) + ["average_color", "complete", "warnings"]
    let members = members(
      of: names.map { ($0, .integer(0)) }, kinds, digest: SHA256Digest(of: [UInt8]()))
    return members.flatMap { RecordLayout.cells(of: $0) }.map(\.name)
  }

  private func memberNames(of kinds: [PlaceholderKind]) -> [String] {
    PlaceholderKind.allCases.filter(kinds.contains).flatMap(\.memberNames)
  }

  /// Converts the members of a `plain` record to those of the profile; missing ones are omitted.
  ///
  /// Of the placeholders, only those of the given kinds are included; kinds that the profile does not define come last.
  func members(
    of plain: [JSON.Member], _ kinds: [PlaceholderKind], digest: SHA256Digest?
  ) -> [JSON.Member] {
    func value(_ name: String) -> JSON? { plain.first { $0.name == name }?.value }
    func member(_ name: String, from plainName: String? = nil) -> [JSON.Member] {
      value(plainName ?? name).map { [(name, $0)] } ?? []
    }
    func integer(_ name: String) -> Int? {
      if case .integer(let number)? = value(name) { number } else { nil }
    }
    /// The members made of both sides; none if a side is missing, as in records of other programs.
    func sides(_ member: (Int, Int, _ size: JSON) -> JSON.Member) -> [JSON.Member] {
      guard let width = integer("width"), let height = integer("height") else { return [] }
      return [member(width, height, .string("\(width)x\(height)"))]
    }
    var members: [JSON.Member]
    switch self {
    case .plain:
      // `preview` and `svg` are both generated if either is requested.
      guard kinds.contains(.preview) != kinds.contains(.svg) else { return plain }
      let dropped: PlaceholderKind = kinds.contains(.svg) ? .preview : .svg
      return plain.filter { $0.name != dropped.rawValue }
    case .mastodon:
      let meta = sides { width, height, size in
        let aspect = Double(width) / Double(max(1, height))
        let original: JSON = .object([
          ("width", .integer(width)), ("height", .integer(height)), ("size", size),
          ("aspect", .number(aspect)),
        ])
        return ("meta", .object([("original", original)]))
      }
      members = member("blurhash") + meta
    case .matrix:
      members =
        member("w", from: "width") + member("h", from: "height") + member("mimetype")
        + member("size", from: "bytes") + member("xyz.amorgan.blurhash", from: "blurhash")
    case .activitypub:
      members =
        member("mediaType", from: "mimetype") + member("width") + member("height")
        + member("blurhash")
    case .nostr:
      members =
        member("m", from: "mimetype") + sides { ("dim", $2) } + member("blurhash")
        + (digest.map { [("x", .string($0.hex))] } ?? [])
    }
    return members
      + memberNames(of: kinds.filter { $0 != .blurHash }).flatMap { member($0) }
  }
}
