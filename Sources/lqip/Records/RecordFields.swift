internal import LqipFiles

/// The members of an entry that tell what it was made from, gathered while it is read.
struct RecordFields {
  /// The members that do.
  enum Member: Int, CaseIterable, Sendable {
    case path, exactPath, byteCount, digest, modified, encoder, error, blurHash, width, height
  }

  private static let names: [[UInt8]] = [
    Array("path".utf8), Array("path_base64".utf8), Array("bytes".utf8), Array("sha256".utf8),
    Array("modified".utf8), Array("encoder".utf8), Array("error".utf8), Array("blurhash".utf8),
    Array("width".utf8), Array("height".utf8),
  ]
  /// What profiles call some of them.
  private static let synonyms: [(name: [UInt8], member: Member)] = [
    (Array("xyz.amorgan.blurhash".utf8), .blurHash), (Array("w".utf8), .width),
    (Array("h".utf8), .height),
  ]

  private var values = [ArraySlice<UInt8>?](repeating: nil, count: names.count)

  /// The bytes that a member's value stands for; nil if the entry lacks it.
  subscript(member: Member) -> ArraySlice<UInt8>? {
    values[member.rawValue]
  }

  /// What the cells of columns hold.
  static func members(of columns: [String]) -> [Member?] {
    columns.map { $0 == "error.code" ? .error : member(named: Array($0.utf8)[...]) }
  }

  /// Reads an object.
  mutating func readObject(
    _ text: [UInt8], _ bounds: Range<Int>, allowsSpace: Bool
  ) throws(MalformedRecord) {
    var cursor = JSONCursor(text, bounds, allowsSpace: allowsSpace)
    try readObject(text, &cursor)
    try cursor.finish()
  }

  /// Reads a member of the object that holds all records, which has the key of a path.
  mutating func readMember(
    _ text: [UInt8], _ bounds: Range<Int>, allowsSpace: Bool
  ) throws(MalformedRecord) {
    var cursor = JSONCursor(text, bounds, allowsSpace: allowsSpace)
    let key = try JSONCursor.unescaped(text, try cursor.skipString())
    try cursor.skip(":")
    try readObject(text, &cursor)
    try cursor.finish()
    values[Member.path.rawValue] = RecordPath.path(ofKey: Array(key))?.bytes[...]
    values[Member.exactPath.rawValue] = nil
  }

  /// Reads a row of cells.
  mutating func readRow(
    _ text: [UInt8], _ bounds: Range<Int>, _ columns: [Member?]
  ) throws(MalformedRecord) {
    var cursor = CSVCursor(text, bounds)
    for member in columns {
      let cell = try cursor.next()
      guard let member, !cell.isEmpty else { continue }
      values[member.rawValue] = CSVCursor.unquoted(text, cell)
    }
    try cursor.finish()
  }

  private mutating func readObject(
    _ text: [UInt8], _ cursor: inout JSONCursor
  ) throws(MalformedRecord) {
    try cursor.skipMembers { cursor, name throws(MalformedRecord) in
      guard let member = Self.member(named: text[name]) else {
        try cursor.skipValue()
        return
      }
      guard self[member] == nil else { throw MalformedRecord() }
      switch member {
      case .error:
        var code: ArraySlice<UInt8>?
        try cursor.skipMembers { cursor, name throws(MalformedRecord) in
          let value = try cursor.skipValue()
          guard text[name].elementsEqual("code".utf8) else { return }
          code = text[value].dropFirst().dropLast()
        }
        values[member.rawValue] = code ?? []
      case .byteCount, .width, .height:
        values[member.rawValue] = text[try cursor.skipValue()]
      default:
        values[member.rawValue] = try JSONCursor.unescaped(text, try cursor.skipString())
      }
    }
  }

  private static func member(named name: ArraySlice<UInt8>) -> Member? {
    for member in Member.allCases {
      let candidate = names[member.rawValue]
      if candidate.count == name.count, name.elementsEqual(candidate) { return member }
    }
    return synonyms.first { name.elementsEqual($0.name) }?.member
  }
}
