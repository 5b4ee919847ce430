/// The items of an image file: the contents of its `meta` box.
///
/// Sources: ISO/IEC 14496-12, section 8.11; ISO/IEC 23008-12, section 9.3.
struct ItemTable {
  /// A coded picture, a derived picture, or metadata.
  struct Item {
    let type: String
    let isProtected: Bool
    /// The byte ranges in the file that together are the data; empty if the data is elsewhere.
    var extents: [Range<Int>] = []
    /// The properties in their order, as indices into ``ItemTable/properties``, and whether a reader must know them.
    var properties: [(index: Int, isEssential: Bool)] = []
  }

  /// A typed reference from one item to others.
  struct Reference {
    let type: String
    let from: Int
    let to: [Int]
  }

  /// The maximum number of items, of tiles, and of properties.
  ///
  /// A photo of 200 megapixels has 817 items.
  static let maximumCount = 4096
  /// The maximum size of the `meta` box in bytes.
  static let maximumByteCount = 1 << 20

  private(set) var primary: Int?
  private(set) var items: [Int: Item] = [:]
  private(set) var references: [Reference] = []
  /// The properties, which the items share.
  private(set) var properties: [Box] = []
  /// The bytes of the `meta` box, to which ``properties`` refer.
  let bytes: [UInt8]

  /// Creates a table from the content of a `meta` box, which starts at an offset in the file.
  init(_ meta: [UInt8], at fileOffset: Int) throws(HEIFFailure) {
    bytes = meta
    var reader = ByteReader(meta)
    try reader.skip(4)
    var boxes: [String: Range<Int>] = [:]
    let known: Set = ["hdlr", "iinf", "iloc", "pitm", "iref", "iprp", "idat"]
    for box in try reader.boxes(upTo: 64) where known.contains(box.type) {
      guard boxes.updateValue(box.content, forKey: box.type) == nil else {
        throw .corrupt("two boxes '\(box.type)'")
      }
    }
    guard let information = boxes["iinf"], let locations = boxes["iloc"] else {
      throw .corrupt("no list of items")
    }
    try readInformation(reader.reader(of: information))
    try readLocations(
      reader.reader(of: locations), itemData: boxes["idat"].map { $0.shifted(by: fileOffset) })
    if let content = boxes["pitm"] {
      var reader = reader.reader(of: content)
      primary = try reader.integer(try reader.versionAndFlags().version == 0 ? 2 : 4)
    }
    if let content = boxes["iref"] { try readReferences(reader.reader(of: content)) }
    if let content = boxes["iprp"] { try readProperties(reader.reader(of: content)) }
  }

  private mutating func readInformation(_ reader: ByteReader) throws(HEIFFailure) {
    var reader = reader
    let count = try reader.integer(try reader.versionAndFlags().version == 0 ? 2 : 4)
    guard count <= Self.maximumCount else { throw .tooLarge("\(count) items") }
    for _ in 0..<count {
      guard let box = try reader.box() else { throw .corrupt("the list of items is too short") }
      guard box.type == "infe" else { continue }
      var entry = reader.reader(of: box.content)
      let version = try entry.versionAndFlags().version
      // Older versions have no type.
      guard version >= 2 else { continue }
      let id = try entry.integer(version == 2 ? 2 : 4)
      guard items[id] == nil else { throw .corrupt("two items with the same number") }
      let isProtected = try entry.integer(2) != 0
      items[id] = Item(type: try entry.code(), isProtected: isProtected)
    }
  }

  private mutating func readLocations(
    _ reader: ByteReader, itemData: Range<Int>?
  ) throws(HEIFFailure) {
    var reader = reader
    let version = try reader.versionAndFlags().version
    guard version <= 2 else { throw .unsupported("version \(version) of 'iloc'") }
    let sizes = try reader.integer(2)
    let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
    let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    for size in [offsetSize, lengthSize, baseSize, indexSize] {
      guard [0, 4, 8].contains(size) else { throw .corrupt("fields of \(size) bytes in 'iloc'") }
    }
    let count = try reader.integer(version < 2 ? 2 : 4)
    guard count <= Self.maximumCount else { throw .tooLarge("\(count) items") }
    var located: Set<Int> = []
    for _ in 0..<count {
      let id = try reader.integer(version < 2 ? 2 : 4)
      let method = version == 0 ? 0 : try reader.integer(2) & 15
      let isElsewhere = try reader.integer(2) != 0
      let base = try reader.integer(baseSize)
      let extentCount = try reader.integer(2)
      guard located.insert(id).inserted else { throw .corrupt("two locations of an item") }
      guard extentCount <= 64 || items[id] == nil else { throw .tooLarge("\(extentCount) extents") }
      var extents: [Range<Int>] = []
      for _ in 0..<extentCount {
        try reader.skip(indexSize)
        let (offset, length) = (try reader.integer(offsetSize), try reader.integer(lengthSize))
        guard offset <= 1 << 60, length <= 1 << 60, base <= 1 << 60 else {
          throw .corrupt("an item outside the file")
        }
        let range = base + offset..<base + offset + length
        guard method == 1 else {
          extents.append(range)
          continue
        }
        guard let itemData, range.upperBound <= itemData.count else {
          throw .corrupt("an item outside 'idat'")
        }
        extents.append(range.shifted(by: itemData.lowerBound))
      }
      guard !isElsewhere, method <= 1 else { continue }
      items[id]?.extents = extents
    }
  }

  private mutating func readReferences(_ reader: ByteReader) throws(HEIFFailure) {
    var reader = reader
    let size = try reader.versionAndFlags().version == 0 ? 2 : 4
    for box in try reader.boxes(upTo: Self.maximumCount) {
      var entry = reader.reader(of: box.content)
      let from = try entry.integer(size)
      let count = try entry.integer(2)
      guard count <= Self.maximumCount else { throw .tooLarge("\(count) references") }
      var to: [Int] = []
      for _ in 0..<count { to.append(try entry.integer(size)) }
      references.append(Reference(type: box.type, from: from, to: to))
    }
  }

  private mutating func readProperties(_ reader: ByteReader) throws(HEIFFailure) {
    var reader = reader
    let boxes = try reader.boxes(upTo: 64)
    guard let container = boxes.first(where: { $0.type == "ipco" }) else { return }
    var contained = reader.reader(of: container.content)
    properties = try contained.boxes(upTo: Self.maximumCount)
    var isAssociated: Set<Int> = []
    for box in boxes where box.type == "ipma" {
      var entries = reader.reader(of: box.content)
      let (version, flags) = try entries.versionAndFlags()
      let count = try entries.integer(4)
      guard count <= Self.maximumCount else { throw .tooLarge("\(count) items") }
      for _ in 0..<count {
        let id = try entries.integer(version == 0 ? 2 : 4)
        guard isAssociated.insert(id).inserted else {
          throw .corrupt("two lists of the properties of an item")
        }
        for _ in 0..<(try entries.integer(1)) {
          let isLong = flags & 1 == 1
          let value = try entries.integer(isLong ? 2 : 1)
          let index = value & (isLong ? 0x7FFF : 0x7F)
          // 0 means no property.
          guard index > 0 else { continue }
          guard index <= properties.count else { throw .corrupt("a property that does not exist") }
          items[id]?.properties.append((index - 1, value >> (isLong ? 15 : 7) == 1))
        }
      }
    }
  }

  /// Returns the items to which an item refers.
  func targets(of id: Int, _ type: String) -> [Int] {
    references.first { $0.type == type && $0.from == id }?.to ?? []
  }

  /// Returns the items that refer to an item, in the order of their references.
  func sources(of id: Int, _ type: String) -> [Int] {
    references.filter { $0.type == type && $0.to.contains(id) }.map(\.from)
  }

  func reader(of property: Box) -> ByteReader { ByteReader(bytes, in: property.content) }
}

extension Range<Int> {
  fileprivate func shifted(by offset: Int) -> Range<Int> {
    lowerBound + offset..<upperBound + offset
  }
}
