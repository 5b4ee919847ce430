package import LqipFiles

/// What an entry of an output says of the file it was made from.
package struct RecordKey: Hashable, Sendable {
  package let path: FilePath
  let byteCount: Int?
  /// When the file was changed last, as its stamp writes it.
  let modified: [UInt8]?
  /// The digest of the file, as its record writes it.
  let digest: [UInt8]?
  /// The version of the algorithms and the settings.
  let encoder: [UInt8]?
  /// Why there are no placeholders, if there are none.
  package let failure: RecordFailure.Code?

  /// Reads an entry; nil if it is not as this program writes it in the layout's format.
  package init?(parsing entry: [UInt8], _ layout: RecordLayout) {
    self.init(parsing: entry, entry.indices, layout)
  }

  /// Reads an entry that lies within other text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - bounds: Where the entry lies.
  ///   - layout: How it is written.
  init?(parsing text: [UInt8], _ bounds: Range<Int>, _ layout: RecordLayout) {
    do {
      var fields = RecordFields()
      switch layout.format {
      case .ndjson: try fields.readObject(text, bounds)
      case .json: try fields.readMember(text, bounds)
      case .csv: try fields.readRow(text, bounds, layout.columnFields)
      }
      try self.init(fields)
    } catch {
      return nil
    }
  }

  private init(_ fields: RecordFields) throws(MalformedRecord) {
    let path =
      if let exact = fields[.exactPath] { Base64.decode(exact) } else { fields[.path] }
    guard let path else { throw MalformedRecord() }
    self.path = FilePath(path)
    byteCount = try fields[.byteCount].map(Self.integer)
    modified = fields[.modified]
    digest = fields[.digest]
    encoder = fields[.encoder]
    failure = try fields[.error].map(Self.code)
  }

  /// Whether a file with this stamp and digest would give the same entry again.
  package func matches(_ stamp: RecordStamp, _ digest: SHA256Digest?) -> Bool {
    guard byteCount == stamp.byteCount, let encoder,
      encoder.elementsEqual(stamp.encoder.utf8)
    else { return false }
    let (old, new) = stamp.modified.map { (modified, $0.text) } ?? (self.digest, digest?.hex)
    guard let old, let new else { return false }
    return old.elementsEqual(new.utf8)
  }

  private static func code(_ text: [UInt8]) throws(MalformedRecord) -> RecordFailure.Code {
    guard let code = RecordFailure.Code(rawValue: String(decoding: text, as: UTF8.self)) else {
      throw MalformedRecord()
    }
    return code
  }

  private static func integer(_ digits: [UInt8]) throws(MalformedRecord) -> Int {
    guard digits.allSatisfy({ 0x30...0x39 ~= $0 }),
      let integer = Int(String(decoding: digits, as: UTF8.self))
    else { throw MalformedRecord() }
    return integer
  }
}
