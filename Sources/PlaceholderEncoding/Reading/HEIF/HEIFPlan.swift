internal import Placeholders

/// What to decode of a HEIC or AVIF file, and how to show it.
struct HEIFPlan {
  /// The primary picture.
  let picture: CodedPicture
  /// The alpha of the picture.
  private(set) var alpha: CodedPicture?
  /// Whether colors are multiplied by alpha.
  let isPremultiplied: Bool
  /// The smallest thumbnail that can stand in for the picture; nil if there is none.
  private(set) var thumbnail: CodedPicture?
  /// The part of the picture to show.
  let crop: PixelArea
  /// The orientation of the picture, from its rotation and mirroring.
  let orientation: ImageOrientation

  /// The minimum length of the long side of a thumbnail: twice that of a grid.
  private static let minimumThumbnailSide = 256
  /// The maximum number of thumbnails that are looked at.
  private static let maximumThumbnailCount = 16

  /// Makes a plan from the items of a file.
  ///
  /// A damaged thumbnail is ignored.
  init(
    _ table: ItemTable, reading: (CodedPicture.Extents) throws(HEIFFailure) -> [UInt8]
  ) throws(HEIFFailure) {
    guard let primary = table.primary else { throw .unsupported("files without a primary item") }
    picture = try CodedPicture(of: primary, in: table, reading: reading)
    crop = picture.properties.crop ?? PixelArea(picture.size)
    orientation = picture.properties.orientation
    let masks = table.alphaItems
    if let id = masks[primary] {
      alpha = try CodedPicture(of: id, in: table, reading: reading)
    } else if let tile = picture.items.dropFirst().first, masks[tile] != nil {
      // As in Chromium, the first tile decides whether tiles have alpha.
      let ids = picture.items.dropFirst().compactMap { masks[$0] }
      guard ids.count == picture.tiles.count else { throw .corrupt("alpha of only some tiles") }
      alpha = try CodedPicture(tiles: ids, of: picture, in: table)
    }
    isPremultiplied =
      alpha.map { table.targets(of: primary, "prem").contains($0.items[0]) } ?? false
    if let alpha {
      guard alpha.size == picture.size else {
        throw .unsupported("alpha of another size than the picture")
      }
      // Some encoders crop and rotate only the picture; alpha follows it.
      guard
        [nil, picture.properties.crop].contains(alpha.properties.crop),
        [.up, orientation].contains(alpha.properties.orientation)
      else { throw .unsupported("alpha that is cropped or rotated unlike the picture") }
    } else {
      thumbnail = table.sources(of: primary, "thmb").prefix(Self.maximumThumbnailCount)
        .compactMap { try? CodedPicture(of: $0, in: table, reading: reading) }
        .filter { isFaithful($0) }
        .min { $0.size.pixelCount < $1.size.pixelCount }
    }
  }

  /// Returns whether a thumbnail has the content of the picture and enough pixels for a grid.
  ///
  /// A side may differ by a pixel, from rounding. Some cameras add black bars.
  private func isFaithful(_ thumbnail: CodedPicture) -> Bool {
    let (own, size) = (picture.size, thumbnail.size)
    let difference = abs(size.width * own.height - size.height * own.width)
    return max(size.width, size.height) >= Self.minimumThumbnailSide
      && size.pixelCount < own.pixelCount && difference <= max(own.width, own.height)
      && thumbnail.isAV1 == picture.isAV1
      && picture.properties.crop == nil && thumbnail.properties.crop == nil
      && thumbnail.properties.orientation == orientation && thumbnail.color == picture.color
  }
}

extension ItemTable {
  /// The types of auxiliary pictures that are alpha.
  private static let alphaTypes = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
  ]

  /// The first alpha of each item that has one.
  fileprivate var alphaItems: [Int: Int] {
    var found: [Int: Int] = [:]
    for reference in references where reference.type == "auxl" && isAlpha(reference.from) {
      for id in reference.to where found[id] == nil { found[id] = reference.from }
    }
    return found
  }

  /// Returns whether an auxiliary item is alpha, without reading its other properties.
  private func isAlpha(_ id: Int) -> Bool {
    guard
      let index = items[id]?.properties.first(where: { properties[$0.index].type == "auxC" })?.index
    else { return false }
    var reader = reader(of: properties[index])
    return (try? reader.skip(4)) != nil && Self.alphaTypes.contains(reader.text(upTo: 64))
  }
}
