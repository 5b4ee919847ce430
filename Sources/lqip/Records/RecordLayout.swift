/// What the records of one output look like: their format, and which members they have.
package struct RecordLayout: Hashable, Sendable {
  /// The columns of the members that are objects.
  private static let nestedColumns = [
    "meta": ["width", "height", "size", "aspect"].map { "meta.original.\($0)" },
    "error": ["error.code", "error.message"],
  ]

  let format: RecordFormat
  let profile: RecordProfile
  /// The members that a record may have, in their order.
  let members: [String]
  /// The names of the columns of a table, in which an object has one for each of its members.
  let columns: [String]
  /// What the columns say of the file that a record was made from.
  let columnFields: [RecordFields.Member?]
  /// The choices that are not the default, as they would be written on a command line.
  package let settings: [String]

  /// Lays out records.
  ///
  /// - Parameters:
  ///   - format: How they are written.
  ///   - profile: For whom they are made.
  ///   - fields: Which of the profile's fields they have and in what order; nil for all.
  ///   - stamps: Whether they say what they were made from; that and the path are then there
  ///     whatever the fields.
  ///   - digests: Whether they have the digest of the file as `sha256`.
  init(
    _ format: RecordFormat, profile: RecordProfile = .plain, fields: [String]? = nil,
    stamps: Bool = false, digests: Bool = false
  ) {
    self.format = format
    self.profile = profile
    var names = fields ?? ["path"] + profile.fields
    if stamps, !names.contains("path") { names.insert("path", at: 0) }
    let always =
      (stamps ? ["bytes"] : []) + (digests ? ["sha256"] : [])
      + (stamps ? ["modified", "encoder"] : []) + ["error"]
    names += always.filter { !names.contains($0) }
    members = names.flatMap { $0 == "path" ? [$0, "path_base64"] : [$0] }
    columns = members.flatMap { Self.nestedColumns[$0] ?? [$0] }
    columnFields = RecordFields.members(of: columns)
    settings =
      (profile == .plain ? [] : ["profile=\(profile.rawValue)"])
      + (fields.map { ["fields=\($0.joined(separator: ","))"] } ?? [])
      + (digests ? ["sha256"] : [])
  }

  /// The names that may be chosen as fields of a profile's records.
  static func fields(of profile: RecordProfile) -> [String] {
    ["path"] + profile.fields + ["sha256", "error"]
  }

  /// What an entry is followed by in an output that was not finished.
  package var terminator: [UInt8] {
    switch format {
    case .ndjson: Array("\n".utf8)
    case .json: Array(",\n".utf8)
    case .csv: CSV.lineEnd
    }
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
    case .csv: CSV.row(columns.map { Array($0.utf8) }) + CSV.lineEnd
    }
  }

  /// The record as an object.
  package func json(of record: PlaceholderRecord) -> JSON {
    .object(chosenMembers(of: record))
  }

  /// What stands for the record in an output, without what goes between two records.
  package func entry(for record: PlaceholderRecord) -> [UInt8] {
    let members = chosenMembers(of: record)
    switch format {
    case .ndjson:
      return JSON.object(members).bytes
    case .json:
      let key = JSON.string(RecordPath(record.path).key)
      let value = JSON.object(members.filter { $0.name != "path" })
      return key.bytes + ":".utf8 + value.bytes
    case .csv:
      let cells = members.flatMap { Self.cells(of: $0) }
      return CSV.row(columns.map { name in cells.first { $0.name == name }?.text ?? [] })
    }
  }

  private func chosenMembers(of record: PlaceholderRecord) -> [JSON.Member] {
    let all = record.members(in: profile)
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
