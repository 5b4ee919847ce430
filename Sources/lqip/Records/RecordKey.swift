package import LqipFiles
internal import PlaceholderEncoding

/// What an entry of an output says of the file it was made from.
package struct RecordKey: Hashable, Sendable {
  package let path: FilePath
  package let byteCount: Int?
  /// When the file was changed last, as its stamp writes it.
  package let modified: ArraySlice<UInt8>?
  /// The digest of the file, as its record writes it.
  package let digest: ArraySlice<UInt8>?
  /// The version of the algorithms and the settings.
  package let encoder: ArraySlice<UInt8>?
  /// Why there are no placeholders, if there are none.
  package let failure: RecordFailure.Code?
  package let width: Int?
  package let height: Int?
  /// Whether the BlurHash and the size, where there are any, can be those of an image.
  package let isPlausible: Bool

  /// Reads an entry; nil if it is not one in the given form.
  package init?(parsing entry: [UInt8], _ form: RecordForm) {
    self.init(parsing: entry, entry.indices, form)
  }

  /// Reads an entry that lies within other text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - bounds: Where the entry lies.
  ///   - form: How it is written.
  ///   - allowsSpace: Whether there may be white space that this program does not write.
  package init?(
    parsing text: [UInt8], _ bounds: Range<Int>, _ form: RecordForm, allowsSpace: Bool = false
  ) {
    do {
      var fields = RecordFields()
      switch form.format {
      case .ndjson: try fields.readObject(text, bounds, allowsSpace: allowsSpace)
      case .json: try fields.readMember(text, bounds, allowsSpace: allowsSpace)
      case .csv: try fields.readRow(text, bounds, form.columnFields)
      }
      try self.init(fields)
    } catch {
      return nil
    }
  }

  private init(_ fields: RecordFields) throws(MalformedRecord) {
    let path =
      if let exact = fields[.exactPath] { Base64.decode(exact) } else {
        fields[.path].map(Array.init)
      }
    guard let path else { throw MalformedRecord() }
    self.path = FilePath(path)
    byteCount = try fields[.byteCount].map(Self.integer)
    modified = fields[.modified]
    digest = fields[.digest]
    encoder = fields[.encoder]
    failure = try fields[.error].map(Self.code)
    width = fields[.width].flatMap { try? Self.integer($0) }
    height = fields[.height].flatMap { try? Self.integer($0) }
    let hasSides = [
      fields[.width] == nil || width ?? 0 > 0, fields[.height] == nil || height ?? 0 > 0,
    ]
    isPlausible = !hasSides.contains(false) && fields[.blurHash].map(Self.isBlurHash) ?? true
  }

  private static func isBlurHash(_ text: ArraySlice<UInt8>) -> Bool {
    (try? BlurHash(text.span)) != nil
  }

  private static func code(_ text: ArraySlice<UInt8>) throws(MalformedRecord) -> RecordFailure.Code
  {
    guard let code = RecordFailure.Code(rawValue: String(decoding: text, as: UTF8.self)) else {
      throw MalformedRecord()
    }
    return code
  }

  private static func integer(_ digits: ArraySlice<UInt8>) throws(MalformedRecord) -> Int {
    guard !digits.isEmpty else { throw MalformedRecord() }
    var integer = 0
    for digit in digits {
      guard 0x30...0x39 ~= digit else { throw MalformedRecord() }
      let (tens, isTooLarge) = integer.multipliedReportingOverflow(by: 10)
      let (sum, isSumTooLarge) = tens.addingReportingOverflow(Int(digit - 0x30))
      guard !isTooLarge, !isSumTooLarge else { throw MalformedRecord() }
      integer = sum
    }
    return integer
  }
}
