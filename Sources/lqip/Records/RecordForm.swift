/// How the records of an output are written, which its beginning shows.
package struct RecordForm: Hashable, Sendable {
  package let format: RecordFormat
  /// The names of the columns of a table.
  package let columns: [String]
  /// What the columns say of the file that a record was made from.
  let columnFields: [RecordFields.Member?]

  package init(_ format: RecordFormat, columns: [String] = []) {
    self.format = format
    self.columns = columns
    columnFields = RecordFields.members(of: columns)
  }

  /// Recognizes the form of an output by its beginning.
  ///
  /// White space that tools such as `jq` add makes no difference, nor do line ends.
  ///
  /// - Parameter beginning: The first bytes, a whole row of names or member among them.
  /// - Returns: The form, and where the records begin; nil for what this program does not write.
  package static func detect(_ beginning: [UInt8]) -> (form: RecordForm, start: Int)? {
    if let object = object(beginning) { return object }
    let lines = beginning.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let names = (lines.first ?? []).filter { $0 != UInt8(ascii: "\r") }
    let columns = String(decoding: names, as: UTF8.self).split(
      separator: ",", omittingEmptySubsequences: false
    ).map(String.init)
    if lines.count > 1, columns.allSatisfy(RecordLayout.columnNames.contains) {
      return (RecordForm(.csv, columns: columns), lines[0].endIndex + 1)
    }
    // The first line may be damaged.
    let hasObject = lines.contains { $0.first == UInt8(ascii: "{") }
    return hasObject ? (RecordForm(.ndjson), 0) : nil
  }

  /// Recognizes the object that has the paths as its keys, the first of them on a line of its own.
  private static func object(_ beginning: [UInt8]) -> (form: RecordForm, start: Int)? {
    guard beginning.first == UInt8(ascii: "{") else { return nil }
    let rest = beginning.dropFirst().drop { $0 == UInt8(ascii: "\r") }
    guard rest.first == UInt8(ascii: "\n") else { return nil }
    let start = rest.startIndex + 1
    let lines = beginning[start...].split(separator: UInt8(ascii: "\n"))
    if lines.contains(where: { $0.starts(with: "}".utf8) || $0.starts(with: "\"".utf8) }) {
      let isPretty = lines.first.map { $0.first == 0x20 || $0.first == 0x09 } ?? false
      if !isPretty { return (RecordForm(.json), start) }
    }
    var cursor = JSONCursor(beginning, start..<beginning.count, allowsSpace: true)
    var brace = cursor
    guard let name = try? cursor.skipString(), (try? cursor.skip(":")) != nil,
      (try? brace.skipString()) != nil, (try? brace.skip(":")) != nil,
      (try? brace.skip("{")) != nil
    else { return nil }
    // Indented, a record that begins with an object looks alike but for the name.
    let isMember = RecordLayout.objectNames.contains(
      String(decoding: beginning[name], as: UTF8.self))
    return isMember ? nil : (RecordForm(.json), start)
  }

  /// The members of a record.
  ///
  /// - Parameters:
  ///   - text: The text that it is in.
  ///   - bounds: Where it stands.
  /// - Returns: The members, the path among them.
  /// - Throws: `MalformedRecord` if there is no record in this form.
  func members(of text: [UInt8], _ bounds: Range<Int>) throws(MalformedRecord) -> [JSON
    .Member]
  {
    switch format {
    case .ndjson:
      guard case .object(let members) = try JSON(parsing: text, bounds) else {
        throw MalformedRecord()
      }
      return members
    case .json:
      let whole = Array("{".utf8) + text[bounds] + "}".utf8
      guard case .object(let all) = try JSON(parsing: whole, whole.indices), all.count == 1,
        case .object(let members) = all[0].value,
        let path = RecordPath.path(ofKey: Array(all[0].name.utf8))
      else { throw MalformedRecord() }
      return RecordPath(path).members + members.filter { $0.name != "path_base64" }
    case .csv:
      return try row(text, bounds)
    }
  }

  private func row(_ text: [UInt8], _ bounds: Range<Int>) throws(MalformedRecord) -> [JSON.Member] {
    var cursor = CSVCursor(text, bounds)
    var cells: [(names: ArraySlice<String>, value: JSON)] = []
    for column in columns {
      let cell = CSVCursor.unquoted(text, try cursor.next())
      guard !cell.isEmpty else { continue }
      let isText = RecordLayout.textColumns.contains(column)
      let value =
        isText
        ? JSON.string(String(decoding: cell, as: UTF8.self))
        : try JSON(parsing: Array(cell), 0..<cell.count)
      // The dots in the name of Matrix's member part nothing.
      let names =
        column == "xyz.amorgan.blurhash" ? [column] : column.split(separator: ".").map(String.init)
      cells.append((names[...], value))
    }
    try cursor.finish()
    return Self.nested(cells)
  }

  /// Puts cells whose columns share the beginning of their names into one object.
  private static func nested(_ cells: [(names: ArraySlice<String>, value: JSON)]) -> [JSON.Member] {
    var members: [JSON.Member] = []
    for (names, value) in cells {
      guard let name = names.first, members.last?.name != name else { continue }
      guard names.count > 1 else {
        members.append((name, value))
        continue
      }
      let parts = cells.filter { $0.names.first == name }.map { ($0.names.dropFirst(), $0.value) }
      members.append((name, .object(nested(parts))))
    }
    return members
  }
}
