internal import PlaceholderEncoding

/// The names of the members that records have, from which the columns of their table follow.
package struct RecordMembers: Hashable, Sendable {
  /// Those of an image's record, in their order.
  private var names: [String] = []
  private var hasStamps = false
  private var hasDigests = false

  package init() {}

  /// Takes in the names of a record's members.
  package mutating func add(_ record: [String]) {
    hasStamps = hasStamps || record.contains("encoder")
    hasDigests = hasDigests || record.contains("sha256")
    guard !record.contains("error") else { return }
    let own = record.filter { !["path_base64", "sha256", "modified", "encoder"].contains($0) }
    guard own != names else { return }
    // A new name goes before the one that it precedes here, so that both orders hold where they agree.
    var place = names.endIndex
    for name in own.reversed() {
      if let index = names.firstIndex(of: name) {
        place = index
      } else {
        names.insert(name, at: place)
      }
    }
  }

  /// The table that a run writes which makes such records.
  package var table: RecordLayout {
    guard !names.isEmpty else { return RecordLayout(.csv, stamps: true, digests: hasDigests) }
    let kinds = Set(names.compactMap { PlaceholderKind(memberName: $0) })
    let layouts = RecordProfile.allCases.map { profile in
      RecordLayout(.csv, profile: profile, kinds: kinds, stamps: hasStamps, digests: hasDigests)
    }
    return layouts.first(where: isComplete)
      ?? RecordLayout(.csv, fields: names, kinds: kinds, stamps: hasStamps, digests: hasDigests)
  }

  /// Whether a layout has all the members, in their order, and no other but those that few records have.
  private func isComplete(_ layout: RecordLayout) -> Bool {
    let rare = RecordProfile.rareFields.union([
      "path_base64", "sha256", "modified", "encoder", "error",
    ])
    return layout.members.filter(names.contains) == names
      && layout.members.allSatisfy { names.contains($0) || rare.contains($0) }
  }
}
