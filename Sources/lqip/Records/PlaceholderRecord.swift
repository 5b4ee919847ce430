package import LqipFiles
package import PlaceholderEncoding

/// What a batch says about one file: its placeholders, or why there are none.
package struct PlaceholderRecord: Sendable {
  /// What became of the file.
  package enum Outcome: Sendable {
    case encoded(ImagePlaceholders, byteCount: Int)
    case failed(RecordFailure)
  }

  /// Where the image lies; empty if it came without a name.
  package let path: FilePath
  package let outcome: Outcome
  /// The digest of the bytes, where the layout includes it.
  package var digest: SHA256Digest?
  /// What the record was made from, where a later run may want to use it again.
  package var stamp: RecordStamp?

  package init(
    path: FilePath, outcome: Outcome, digest: SHA256Digest? = nil, stamp: RecordStamp? = nil
  ) {
    self.path = path
    self.outcome = outcome
    self.digest = digest
    self.stamp = stamp
  }
}

extension PlaceholderRecord {
  /// Why there are no placeholders, if there are none.
  package var failure: RecordFailure? {
    if case .failed(let failure) = outcome { failure } else { nil }
  }

  /// What a kind is without any name; nil if the image failed.
  package func text(of kind: PlaceholderKind) -> String? {
    guard case .encoded(let image, _) = outcome else { return nil }
    return image.text(of: kind)
  }

  /// All that the record has to say in a profile, in the documented order.
  package func members(in profile: RecordProfile) -> [JSON.Member] {
    let pathMembers = RecordPath(path).members
    switch outcome {
    case .encoded(let image, let byteCount):
      let members = profile.members(of: image, byteCount: byteCount, digest: digest)
      let hasSize = members.contains { $0.name == "bytes" }
      return pathMembers + members + (hasSize ? [] : sizeMembers) + originMembers
    case .failed(let failure):
      // What a failed file needs to be passed over the next time.
      let origin = stamp == nil ? [] : sizeMembers + originMembers
      return pathMembers + origin + [("error", failure.json)]
    }
  }

  private var sizeMembers: [JSON.Member] {
    stamp.map { [("bytes", .integer($0.byteCount))] } ?? []
  }

  private var originMembers: [JSON.Member] {
    (digest.map { [("sha256", .string($0.hex))] } ?? []) + (stamp?.members ?? [])
  }
}
