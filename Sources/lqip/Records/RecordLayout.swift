package import LqipFiles
package import PlaceholderEncoding

/// What the records of one output look like: their format, and which members they have.
package struct RecordLayout: Hashable, Sendable {
  private static let allKinds = Set(PlaceholderKind.allCases)

  /// The columns of the members that are objects.
  private static let nestedColumns = [
    (member: "meta", columns: ["width", "height", "size", "aspect"].map { "meta.original.\($0)" }),
    (member: "error", columns: ["error.code", "error.message"]),
  ]

  /// The names that any record's columns may have.
  package static let columnNames = Set(
    RecordProfile.allCases.flatMap { profile in
      RecordLayout(.csv, profile: profile, kinds: allKinds, stamps: true, digests: true).form
        .columns
    })
  /// The names that any record's members may have.
  package static let memberNames = Set(
    RecordProfile.allCases.flatMap { profile in
      RecordLayout(.ndjson, profile: profile, kinds: allKinds, stamps: true, digests: true).members
    })
  /// The names of the members that are objects.
  package static let objectNames = nestedColumns.map { $0.member }
  /// The names of the columns whose cells are text; those of all others are JSON.
  package static let textColumns: Set<String> = [
    "path", "path_base64", "mimetype", "blurhash", "lqip", "lqip2", "average_color", "sha256",
    "modified", "encoder", "error.code", "error.message", "meta.original.size",
    "xyz.amorgan.blurhash", "mediaType", "m", "dim", "x", "thumbhash", "preview", "svg",
    "blurDataURL", "src",
  ]

  /// How the records are written.
  package private(set) var form: RecordForm
  package let profile: RecordProfile
  /// The members that a record may have, in their order.
  package let members: [String]
  /// The one kind that is written without a record around it.
  private let text: PlaceholderKind?
  /// What paths are relative to.
  let base: FilePath?
  /// The choices that are not the default, as they would be written on a command line.
  package let settings: [String]

  /// Lays out records.
  ///
  /// - Parameters:
  ///   - format: How they are written.
  ///   - profile: For whom they are made.
  ///   - fields: Which of the profile's fields they have and in what order; nil for all.
  ///   - kinds: What was made of each image; nil for what the profile is about.
  ///   - text: The one kind that is written without a record around it.
  ///   - base: What paths are relative to; nil for as they are.
  ///   - stamps: Whether they say what they were made from; that and the path are then there
  ///     whatever the fields.
  ///   - digests: Whether they have the digest of the file as `sha256`.
  package init(
    _ format: RecordFormat, profile: RecordProfile = .plain, fields: [String]? = nil,
    kinds: Set<PlaceholderKind>? = nil, text: PlaceholderKind? = nil, base: FilePath? = nil,
    stamps: Bool = false, digests: Bool = false
  ) {
    self.profile = profile
    self.text = text
    self.base = base
    let kinds = kinds ?? profile.kinds
    var names = fields ?? ["path"] + profile.fields(of: kinds)
    if stamps, !names.contains("path") { names.insert("path", at: 0) }
    let always =
      (stamps ? ["bytes"] : []) + (digests ? ["sha256"] : [])
      + (stamps ? ["modified", "encoder"] : []) + ["error"]
    names += always.filter { !names.contains($0) }
    members = names.flatMap { $0 == "path" ? [$0, "path_base64"] : [$0] }
    form = RecordForm(format, columns: format == .csv ? Self.columns(of: members) : [])
    settings =
      (profile == .plain ? [] : ["profile=\(profile.rawValue)"])
      + (fields.map { ["fields=\($0.joined(separator: ","))"] } ?? [])
      + (fields == nil && kinds != profile.kinds
        ? ["kinds=\(kinds.map(\.rawValue).sorted().joined(separator: ","))"] : [])
      + (base.map { ["base=\($0)"] } ?? []) + (digests ? ["sha256"] : [])
  }

  /// Lays out records of earlier runs, with the members that they have.
  ///
  /// - Parameters:
  ///   - form: How they are written.
  ///   - format: How they are to be written.
  package init(_ form: RecordForm, in format: RecordFormat) {
    self.init(format, kinds: Self.allKinds, stamps: true, digests: true)
    guard form.format == .csv, format == .csv else { return }
    self.form = form
  }

  private static func columns(of members: [String]) -> [String] {
    members.flatMap { member in
      nestedColumns.first { $0.member == member }?.columns ?? [member]
    }
  }

  /// The names that may be chosen as fields of a profile's records.
  package static func fields(of profile: RecordProfile) -> [String] {
    ["path"] + profile.fields(of: allKinds) + ["sha256", "error"]
  }

  package var format: RecordFormat {
    form.format
  }

  /// The same records, an object per line.
  package var lines: RecordLayout {
    var lines = self
    lines.form = RecordForm(.ndjson)
    return lines
  }

  /// Whether the records need the digests of the files.
  package var needsDigest: Bool {
    members.contains("sha256") || profile == .nostr && members.contains("x")
  }

  /// What an output begins with.
  package var opening: [UInt8] {
    switch format {
    case .ndjson: []
    case .json: Array("{\n".utf8)
    case .csv: CSV.row(form.columns.map { Array($0.utf8) }) + CSV.lineEnd
    }
  }

  /// The record as an object.
  package func json(of record: PlaceholderRecord) -> JSON {
    .object(chosenMembers(of: record))
  }

  /// What stands for the record in an output, without what goes between two records.
  package func entry(for record: PlaceholderRecord) -> [UInt8] {
    if let text { return Array((record.text(of: text) ?? "").utf8) }
    return entry(of: chosenMembers(of: record), at: told(record.path))
  }

  /// What stands for a record of an earlier run.
  ///
  /// Members that the layout lacks come last; a table has no room for them.
  package func entry(of all: [JSON.Member], at path: FilePath) -> [UInt8] {
    let members = members.compactMap { name in all.first { $0.name == name } }
    let rest = all.filter { member in !self.members.contains(member.name) }
    switch format {
    case .ndjson:
      return JSON.object(members + rest).bytes
    case .json:
      let key = JSON.string(RecordPath(path).key)
      let value = JSON.object((members + rest).filter { $0.name != "path" })
      return key.bytes + ":".utf8 + value.bytes
    case .csv:
      let cells = members.flatMap { Self.cells(of: $0) }
      return CSV.row(form.columns.map { name in cells.first { $0.name == name }?.text ?? [] })
    }
  }

  private func chosenMembers(of record: PlaceholderRecord) -> [JSON.Member] {
    let source = record.failure == nil ? [source(of: record.path)] : []
    let all = source + RecordPath(told(record.path)).members + record.members(in: profile)
    return members.compactMap { name in all.first { $0.name == name } }
  }

  private static func cells(of member: JSON.Member) -> [(name: String, text: [UInt8])] {
    switch member.value {
    case .object(let members):
      members.flatMap { cells(of: ("\(member.name).\($0.name)", $0.value)) }
    case .string(let text): [(member.name, Array(text.utf8))]
    default: [(member.name, member.value.bytes)]
    }
  }
}
