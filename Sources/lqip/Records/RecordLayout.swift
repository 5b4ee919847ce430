package import LqipSystem
package import PlaceholderEncoding

/// The form in which records are written.
package enum RecordFormat: String, CaseIterable, Sendable {
  /// A JSON object per line.
  case ndjson
  /// One JSON object, keyed by path.
  case json
  /// A row per record, after a row of names.
  case csv

  /// The format that an extension stands for; NDJSON for none.
  init(extensionOf path: FilePath) {
    let dot = path.name.lastIndex(of: UInt8(ascii: "."))
    let name = dot.map { String(decoding: path.name[($0 + 1)...], as: UTF8.self).lowercased() }
    self = name.flatMap(RecordFormat.init(rawValue:)) ?? .ndjson
  }
}

/// The look of the records of one output: format, profile and placeholders.
package struct RecordLayout: Hashable, Sendable {
  package let format: RecordFormat
  package let profile: RecordProfile
  package let kinds: Set<PlaceholderKind>
  /// The one kind that is written without a record around it.
  private let text: PlaceholderKind?
  /// The columns of a table.
  private let columns: [String]

  /// Lays out records.
  ///
  /// - Parameters:
  ///   - format: How they are written.
  ///   - profile: For whom they are made.
  ///   - kinds: The placeholders of each image; `nil` for the profile's default.
  ///   - text: The one kind that is written without a record around it.
  package init(
    _ format: RecordFormat, profile: RecordProfile = .plain, kinds: Set<PlaceholderKind>? = nil,
    text: PlaceholderKind? = nil
  ) {
    self.format = format
    self.profile = profile
    self.kinds = kinds ?? profile.kinds
    self.text = text
    columns =
      format == .csv
      ? ["path", "path_base64"] + profile.columns(of: self.kinds) + ["error.code", "error.message"]
      : []
  }

  /// Whether the records need the digests of the files.
  package var needsDigest: Bool {
    profile == .nostr
  }

  /// The record as an object.
  package func json(of record: PlaceholderRecord) -> JSON {
    .object(chosen(of: record.members, digest: record.digest))
  }

  /// The bytes of a record, without what separates it from others.
  package func entry(for record: PlaceholderRecord) -> [UInt8] {
    if let text { return Array(record.text(of: text).utf8) }
    return entry(of: record.members, at: record.path, digest: record.digest)
  }

  /// The bytes of a record, given the members of the plain one.
  package func entry(
    of plain: [JSON.Member], at path: FilePath, digest: SHA256Digest? = nil
  ) -> [UInt8] {
    let members = chosen(of: plain, digest: digest)
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

  private func chosen(of plain: [JSON.Member], digest: SHA256Digest?) -> [JSON.Member] {
    let isFailed = plain.contains { $0.name == "error" }
    let members = isFailed ? plain : profile.members(of: plain, kinds, digest: digest)
    guard profile != .plain || format != .ndjson else { return members }
    let path = plain.filter { $0.name.hasPrefix("path") }
    return path + members.filter { $0.name != "stamp" && !$0.name.hasPrefix("path") }
  }

  private static func cells(of member: JSON.Member) -> [(name: String, text: [UInt8])] {
    switch member.value {
    case .object(let members):
      members.flatMap { cells(of: ("\(member.name).\($0.name)", $0.value)) }
    case .string(let text): [(member.name, Array(text.utf8))]
    default: [(member.name, member.value.bytes)]
    }
  }

  /// The beginning of an output.
  package var opening: [UInt8] {
    switch format {
    case .ndjson: []
    case .json: Array("{\n".utf8)
    case .csv: CSV.row(columns.map { Array($0.utf8) }) + CSV.lineEnd
    }
  }

  /// The end of an output.
  package func closing(isEmpty: Bool) -> [UInt8] {
    format == .json ? Array((isEmpty ? "}\n" : "\n}\n").utf8) : []
  }

  /// An entry with what goes before or after it.
  package func element(_ entry: [UInt8], isFirst: Bool) -> [UInt8] {
    switch format {
    case .ndjson: entry + "\n".utf8
    case .json: (isFirst ? [] : Array(",\n".utf8)) + entry
    case .csv: entry + CSV.lineEnd
    }
  }

  /// Whether a file begins as an output of records does, in any layout.
  package static func isOutput(_ beginning: [UInt8]) -> Bool {
    [
      #"{"path":""#, #"{"mimetype":"image/"#, #"{"error":{"code":""#, "{\n\"", "{\n}\n",
      "path,path_base64,",
    ].contains {
      beginning.starts(with: $0.utf8)
    }
  }
}

/// Comma-separated values, as RFC 4180 defines them.
enum CSV {
  static let lineEnd = Array("\r\n".utf8)

  /// Joins cells to a row, without the end of its line.
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
