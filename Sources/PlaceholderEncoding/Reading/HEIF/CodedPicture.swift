/// A picture of one tile or of a grid of equal tiles, and where in the file their data is.
///
/// Sources: ISO/IEC 23008-12, section 6.6.2.3; AV1 Image File Format, section 2.
struct CodedPicture {
  /// The byte ranges in the file that together are the data of a tile.
  typealias Extents = [Range<Int>]

  let configuration: CodecConfiguration
  let size: PixelSize
  let tileSize: PixelSize
  let columnCount: Int
  /// The tiles in row-major order.
  ///
  /// Those of the last row and column may exceed the picture.
  let tiles: [Extents]
  let properties: ItemProperties
  /// The color that the item declares, or else its tiles.
  let color: DeclaredColor
  /// The identifiers of the item and its tiles.
  let items: [Int]

  /// Finds the tiles of an item.
  ///
  /// `reading` returns the bytes of an item that is no coded picture, at most 64 of them.
  init(
    of id: Int, in table: ItemTable, reading: (Extents) throws(HEIFFailure) -> [UInt8]
  ) throws(HEIFFailure) {
    let item = try table.picture(id)
    let own = try ItemProperties(of: item, in: table)
    guard item.type == "grid" else {
      let coded = try Self.configuration(of: item, own)
      guard let size = own.size else { throw .corrupt("a picture without a size") }
      try self.init(
        coded, size, tileSize: size, columnCount: 1, [item.extents], own, own.color, [id])
      return
    }
    let grid = try Grid(try reading(item.extents))
    let ids = table.targets(of: id, "dimg")
    guard ids.count == grid.rowCount * grid.columnCount, ids.count <= ItemTable.maximumCount else {
      throw .corrupt("\(ids.count) tiles in a grid of \(grid.columnCount)x\(grid.rowCount)")
    }
    guard Set(ids).count == ids.count else { throw .corrupt("a tile is used twice") }
    guard own.size == nil || own.size == grid.size else {
      throw .corrupt("a grid of another size than declared")
    }
    try self.init(
      grid.size, columnCount: grid.columnCount, own, own.color, id, tiles: ids, in: table)
  }

  /// Creates the alpha of a grid from that of its tiles, in the order of the tiles.
  init(tiles ids: [Int], of grid: CodedPicture, in table: ItemTable) throws(HEIFFailure) {
    try self.init(
      grid.size, columnCount: grid.columnCount, grid.properties, DeclaredColor(), grid.items[0],
      tiles: ids, in: table)
  }

  /// Creates a grid of tiles, whose color completes its own.
  private init(
    _ size: PixelSize, columnCount: Int, _ own: ItemProperties, _ color: DeclaredColor, _ id: Int,
    tiles ids: [Int], in table: ItemTable
  ) throws(HEIFFailure) {
    var extents: [Extents] = []
    var first: (configuration: CodecConfiguration, properties: ItemProperties, size: PixelSize)?
    var lastProperties: [Int] = []
    for id in ids {
      let tile = try table.picture(id)
      extents.append(tile.extents)
      let indices = tile.properties.map(\.index)
      // The tiles of most images share all properties.
      if first != nil, indices == lastProperties, ["hvc1", "av01"].contains(tile.type) { continue }
      lastProperties = indices
      let properties = try ItemProperties(of: tile, in: table)
      let configuration = try Self.configuration(of: tile, properties)
      guard let size = properties.size else { throw .corrupt("a tile without a size") }
      // Some encoders repeat the grid's rotation on each tile.
      guard
        properties.crop == nil,
        [.up, own.orientation].contains(properties.orientation)
      else {
        throw .unsupported("tiles that are cropped or rotated")
      }
      guard let known = first else {
        first = (configuration, properties, size)
        continue
      }
      guard known.size == size else { throw .corrupt("tiles of different sizes") }
      guard known.configuration == configuration else {
        throw .unsupported("tiles of different codecs")
      }
    }
    guard let first else { throw .corrupt("a grid without tiles") }
    let rowCount = ids.count / columnCount
    guard
      ((columnCount - 1) * first.size.width..<columnCount * first.size.width)
        .contains(size.width - 1),
      ((rowCount - 1) * first.size.height..<rowCount * first.size.height)
        .contains(size.height - 1)
    else { throw .corrupt("tiles do not cover the grid") }
    try self.init(
      first.configuration, size, tileSize: first.size, columnCount: columnCount,
      extents, own, color.completed(by: first.properties.color), [id] + ids)
  }

  private init(
    _ configuration: CodecConfiguration, _ size: PixelSize, tileSize: PixelSize, columnCount: Int,
    _ tiles: [Extents], _ properties: ItemProperties, _ color: DeclaredColor, _ items: [Int]
  ) throws(HEIFFailure) {
    if case .hevc(let hevc) = configuration {
      let (own, sequence) = (tileSize, hevc.sequence)
      guard sequence.shownWidth == own.width, sequence.shownHeight == own.height else {
        throw .corrupt(
          "a picture of \(sequence.shownWidth)x\(sequence.shownHeight) pixels, "
            + "declared as \(own.width)x\(own.height)")
      }
      // Whole coding blocks, or the least size that an encoder writes.
      guard sequence.width < own.width + 256, sequence.height < own.height + 256 else {
        throw .corrupt("a picture with too much padding")
      }
    }
    guard tiles.allSatisfy({ !$0.isEmpty }) else { throw .corrupt("a picture without data") }
    (self.configuration, self.size, self.tileSize) = (configuration, size, tileSize)
    (self.columnCount, self.tiles, self.properties) = (columnCount, tiles, properties)
    (self.color, self.items) = (color, items)
  }

  private static func configuration(
    of item: ItemTable.Item, _ properties: ItemProperties
  ) throws(HEIFFailure) -> CodecConfiguration {
    switch (item.type, properties.configuration) {
    case ("av01", .av1): return .av1
    case ("hvc1", .hevc(let configuration)): return .hevc(configuration)
    case ("av01", _), ("hvc1", _): throw .corrupt("a picture without a codec configuration")
    default: throw .unsupported("a grid of grids")
    }
  }

  /// The area of the picture that a tile covers; the tile may be larger.
  func area(of tile: Int) -> (x: Int, y: Int, width: Int, height: Int) {
    let x = tile % columnCount * tileSize.width
    let y = tile / columnCount * tileSize.height
    return (x, y, min(tileSize.width, size.width - x), min(tileSize.height, size.height - y))
  }

  /// Returns the data of each tile, and the tiles that it shows; encoders may write equal tiles once.
  ///
  /// Throws if the data of different tiles overlaps: a small file could then take long to decode.
  func tilesByData() throws(HEIFFailure) -> [(data: Extents, tiles: [Int])] {
    let groups = Dictionary(grouping: tiles.indices) { tiles[$0] }
    let ranges = groups.keys.joined()
    let byteCount = ranges.reduce(0) { min(1 << 60, $0 + $1.count) }
    guard byteCount <= ranges.reduce(0, { max($0, $1.upperBound) }) else {
      throw .corrupt("tiles whose data overlaps")
    }
    return groups.sorted { $0.value[0] < $1.value[0] }.map { ($0.key, $0.value) }
  }
}

/// The data of a derived picture that consists of a grid of tiles.
///
/// Source: ISO/IEC 23008-12, section 6.6.2.3.2.
private struct Grid {
  let rowCount: Int
  let columnCount: Int
  let size: PixelSize

  init(_ bytes: [UInt8]) throws(HEIFFailure) {
    var reader = ByteReader(bytes)
    guard try reader.integer(1) == 0 else { throw .unsupported("version of 'grid'") }
    let sideSize = try reader.integer(1) & 1 == 0 ? 2 : 4
    (rowCount, columnCount) = (try reader.integer(1) + 1, try reader.integer(1) + 1)
    size = try PixelSize(width: reader.integer(sideSize), height: reader.integer(sideSize))
  }
}

extension ItemTable {
  /// Returns a coded picture or a grid.
  fileprivate func picture(_ id: Int) throws(HEIFFailure) -> Item {
    guard let item = items[id] else { throw .corrupt("an item that does not exist") }
    guard !item.isProtected else { throw .unsupported("protected pictures") }
    guard ["grid", "av01", "hvc1"].contains(item.type) else {
      throw .unsupported("pictures of the type '\(item.type)'")
    }
    return item
  }
}
