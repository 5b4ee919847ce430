package import LqipSystem
package import PlaceholderEncoding

/// The file format of records.
package enum RecordFormat: String, CaseIterable, Sendable {
  /// One JSON object per line.
  case ndjson
  /// One JSON object, keyed by path.
  case json
  /// A header row, then one row per record.
  case csv
}

/// The layout of the records in one output: format, profile and placeholder kinds.
package struct RecordLayout: Hashable, Sendable {
  package let format: RecordFormat
  package let profile: RecordProfile
  package let kinds: [PlaceholderKind]
  /// The only kind to write, as plain text without a record; `nil` for records.
  private let text: PlaceholderKind?
  /// The names of the CSV columns, in order; empty for other formats.
  private let columns: [String]

  /// Creates a layout; if `kinds` is `nil`, it has the profile's default kinds.
  package init(
    _ format: RecordFormat, profile: RecordProfile = .plain, kinds: [PlaceholderKind]? = nil,
    text: PlaceholderKind? = nil
  ) {
    self.format = format
    self.profile = profile
    self.kinds = kinds ?? profile.kinds
    self.text = text
    columns =
      format == .csv
      ? RecordPath.memberNames + profile.columns(of: self.kinds) + ["error.code", "error.message"]
      : []
  }

  package func json(of record: PlaceholderRecord) -> JSON {
    .object(selectedMembers(of: record.members, digest: record.digest))
  }

  /// Returns the bytes of a record, without separators.
  package func entry(for record: PlaceholderRecord) -> [UInt8] {
    if let text { return Array(record.text(of: text).utf8) }
    return entry(of: record.members, at: record.path, digest: record.digest)
  }

  /// Returns the bytes of a record, without separators, given its members in the `plain` profile.
  package func entry(
    of plain: [JSON.Member], at path: FilePath, digest: SHA256Digest? = nil
  ) -> [UInt8] {
    let members = selectedMembers(of: plain, digest: digest)
    switch format {
    case .ndjson: return JSON.object(members).bytes
    case .json:
      let value = JSON.object(members.filter { $0.name != "path" })
      return JSON.string(RecordPath(path).key).bytes + ":".utf8 + value.bytes
    case .csv:
      let cells = members.flatMap { Self.cells(of: $0) }
      return CSV.row(columns.map { name in cells.first { $0.name == name }?.text ?? [] })
    }
  }

  /// Returns the members to write; only a `plain` NDJSON record contains a stamp.
  private func selectedMembers(of plain: [JSON.Member], digest: SHA256Digest?) -> [JSON.Member] {
    let isFailed = plain.contains { $0.name == "error" }
    let members = isFailed ? plain : profile.members(of: plain, kinds, digest: digest)
    guard profile != .plain || format != .ndjson else { return members }
    let path = plain.filter { RecordPath.memberNames.contains($0.name) }
    return path + members.filter { !(RecordPath.memberNames + ["stamp"]).contains($0.name) }
  }

  /// The members of a `plain` record in the documented order; the stamp follows all others.
  private static let memberNames =
    RecordPath.memberNames + RecordProfile.plain.columns(of: PlaceholderKind.allCases) + ["error"]

  /// Returns a `plain` record as this program writes it, given one that another program has written.
  ///
  /// Such programs reorder members, write missing ones as `null`, and write `640.0` for `640` and `1` for a share of
  /// `1.0`.
  static func normalized(_ record: JSON) -> JSON {
    func integral(_ value: JSON) -> JSON {
      switch value {
      case .number(let number): Int(exactly: number).map { .integer($0) } ?? value
      case .array(let elements): .array(elements.map(integral))
      case .object(let members):
        .object(members.map { ($0.name, $0.name == "share" ? fractional($0.value) : $0.value) })
      default: value
      }
    }
    func fractional(_ value: JSON) -> JSON {
      if case .integer(let number) = value { .number(Double(number)) } else { value }
    }
    guard case .object(let members) = record else { return record }
    let ranked = members.enumerated().map { index, member in
      let rank = memberNames.firstIndex(of: member.name) ?? memberNames.count
      return (rank: (member.name == "stamp" ? .max : rank, index), member: member)
    }
    return .object(
      ranked.sorted { $0.rank < $1.rank }.map { ($0.member.name, integral($0.member.value)) })
  }

  /// Returns the CSV cells of a member: one cell, or one per nested member of an object, such as `error.code`.
  static func cells(of member: JSON.Member) -> [(name: String, text: [UInt8])] {
    switch member.value {
    case .object(let members):
      members.flatMap { cells(of: ("\(member.name).\($0.name)", $0.value)) }
    case .string(let text): [(member.name, Array(text.utf8))]
    default: [(member.name, member.value.bytes)]
    }
  }

  /// The bytes before the first record.
  package var opening: [UInt8] {
    switch format {
    case .ndjson: []
    case .json: Array("{\n".utf8)
    case .csv: CSV.row(columns.map { Array($0.utf8) }) + CSV.lineEnd
    }
  }

  /// Returns the bytes after the last record.
  package func closing(isEmpty: Bool) -> [UInt8] {
    format == .json ? Array((isEmpty ? "}\n" : "\n}\n").utf8) : []
  }

  /// Returns the bytes of a record with its separator.
  package func element(_ entry: [UInt8], isFirst: Bool) -> [UInt8] {
    switch format {
    case .ndjson: entry + "\n".utf8
    case .json: (isFirst ? [] : Array(",\n".utf8)) + entry
    case .csv: entry + CSV.lineEnd
    }
  }
}

extension RecordLayout {
  /// The names of the members of images in records, in any profile.
  private static let imageMembers = Set(
    RecordProfile.allCases.flatMap { $0.columns(of: PlaceholderKind.allCases) }.map {
      String($0.prefix { $0 != "." })
    })

  /// The names of the first members of records without a path.
  private static let firstMembers = Set(
    RecordProfile.allCases.flatMap { profile in
      [[], PlaceholderKind.allCases].compactMap { profile.columns(of: $0).first }
    }.map { String($0.prefix { $0 != "." }) })

  /// Returns whether the first bytes of a file identify it as output in any layout, or as text like that of this one.
  ///
  /// The members of records have no spaces between them, unlike those that most other programs write.
  package func isOutput(_ beginning: [UInt8]) -> Bool {
    let start = String(decoding: beginning, as: UTF8.self)
    func hasMember(after end: String) -> Bool {
      Self.imageMembers.contains { start.includes("\(end)\"\($0)\":") }
    }
    if let text, Self.isText(start, text) { return true }
    let hasFailure = start.includes(#""error":{"code":""#)
    if start.hasPrefix("{\n") { return start == "{\n}\n" || hasMember(after: "\":{") || hasFailure }
    if start.hasPrefix("path,path_base64,") {
      let names = start.prefix { !$0.isNewline }.split(separator: ",")
      return names.dropFirst(2).allSatisfy {
        $0.hasPrefix("error.") || Self.imageMembers.contains(String($0.prefix { $0 != "." }))
      }
    }
    let isRecord =
      start.hasPrefix(#"{"path":""#)
      || Self.firstMembers.contains { start.hasPrefix("{\"\($0)\":") }
    return isRecord && hasMember(after: ",") || start.hasPrefix("{\"") && hasFailure
  }

  /// Returns whether the complete lines of a text are placeholders of a kind; a failed image has an empty line.
  private static func isText(_ start: String, _ kind: PlaceholderKind) -> Bool {
    let lines = start.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return !lines.isEmpty
      && lines.allSatisfy { line in
        guard let parse = kind.definition.parse else {
          return line.isEmpty || line.hasPrefix("data:image/") || line.hasPrefix("#")
        }
        // A line may have both values of an LQIP.
        return line.split(separator: " ").allSatisfy { (try? parse(String($0))) != nil }
      }
  }
}

/// Comma-separated values (RFC 4180).
enum CSV {
  static let lineEnd = Array("\r\n".utf8)

  /// Returns a row without its line end; cells are quoted if necessary.
  static func row(_ cells: [[UInt8]]) -> [UInt8] {
    var row: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { row.append(UInt8(ascii: ",")) }
      guard cell.contains(where: "\",\r\n".utf8.contains) else {
        row += cell
        continue
      }
      row.append(UInt8(ascii: "\""))
      for byte in cell {
        if byte == UInt8(ascii: "\"") { row.append(byte) }
        row.append(byte)
      }
      row.append(UInt8(ascii: "\""))
    }
    return row
  }
}
