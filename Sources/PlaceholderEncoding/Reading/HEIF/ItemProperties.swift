internal import Placeholders

/// The properties of an item that describe its picture.
///
/// Sources: ISO/IEC 23008-12, section 6.5; ISO/IEC 14496-12, section 12.1.5; AV1 Image File Format.
struct ItemProperties {
  /// The size of the picture before it is cropped or rotated; nil if it is not declared.
  private(set) var size: PixelSize?
  private(set) var color = DeclaredColor()
  private(set) var configuration: CodecConfiguration?
  /// The part of the picture to show; nil for the whole.
  private(set) var crop: PixelArea?
  /// Whether the declared crop cannot be applied.
  private(set) var isCropIgnored = false
  /// The number of anticlockwise rotations by 90°.
  private(set) var rotations: Int?
  /// Whether the rotated picture is mirrored: top to bottom, or left to right.
  private(set) var mirror: MirrorAxis?

  /// The largest light of a pixel in cd/m²; 0 if it is unknown.
  private(set) var maximumLuminance: Int?

  enum MirrorAxis { case topToBottom, leftToRight }

  /// Reads the properties of an item; throws if one is damaged, or essential and unknown.
  init(of item: ItemTable.Item, in table: ItemTable) throws(HEIFFailure) {
    var cropBox: Box?
    for (index, isEssential) in item.properties {
      let box = table.properties[index]
      var reader = table.reader(of: box)
      switch box.type {
      case "ispe" where size == nil:
        try reader.skip(4)
        size = try PixelSize(width: reader.integer(4), height: reader.integer(4))
      case "colr": try color.add(&reader)
      case "hvcC" where configuration == nil:
        configuration = .hevc(try HEVCConfiguration(&reader))
      case "av1C" where configuration == nil: configuration = .av1
      case "clap" where cropBox == nil: cropBox = box
      case "irot" where rotations == nil: rotations = try reader.integer(1) & 3
      case "imir" where mirror == nil:
        mirror = try reader.integer(1) & 1 == 0 ? .topToBottom : .leftToRight
      case "clli" where maximumLuminance == nil: maximumLuminance = try reader.integer(2)
      case "a1op" where try reader.integer(1) == 0: break
      case "lsel" where try reader.integer(2) == 0xFFFF: break
      case "pixi", "pasp", "clli", "mdcv", "a1lx", "auxC", "ispe", "hvcC", "av1C", "clap", "irot",
        "imir":
        break
      default:
        guard !isEssential else { throw .unsupported("the property '\(box.type)'") }
      }
    }
    if let cropBox {
      guard let size else { throw .corrupt("a crop of a picture without a size") }
      var reader = table.reader(of: cropBox)
      crop = try PixelArea(crop: &reader, of: size)
      isCropIgnored = crop == nil
    }
  }

  /// The orientation to which rotation and mirroring amount.
  var orientation: ImageOrientation {
    let turned: ImageOrientation = [.up, .left, .down, .right][rotations ?? 0]
    guard let mirror else { return turned }
    return ImageOrientation.allCases.first {
      $0.swapsAxes == turned.swapsAxes
        && $0.mirrorsColumns == (turned.mirrorsColumns != (mirror == .leftToRight))
        && $0.mirrorsRows == (turned.mirrorsRows != (mirror == .topToBottom))
    } ?? .up
  }
}

/// The color space that a container declares.
struct DeclaredColor: Hashable {
  /// A slice of the list of items, so that the profile of many tiles is not copied.
  private(set) var profile: ArraySlice<UInt8>?
  private(set) var coding: CodingPoints?

  /// Reads a `colr` property; the first of each kind counts.
  mutating func add(_ reader: inout ByteReader) throws(HEIFFailure) {
    switch try reader.code() {
    case "nclx" where coding == nil:
      coding = CodingPoints(
        primaries: UInt8(truncatingIfNeeded: try reader.integer(2)),
        transfer: UInt8(truncatingIfNeeded: try reader.integer(2)),
        matrix: UInt8(truncatingIfNeeded: try reader.integer(2)),
        isFullRange: try reader.integer(1) >> 7 == 1)
    case "prof" where profile == nil, "rICC" where profile == nil:
      profile = try reader.slice(reader.count)
    default: break
    }
  }

  /// Whether the profile is for gray samples.
  var hasGrayProfile: Bool { profile?.dropFirst(16).starts(with: "GRAY".utf8) ?? false }

  /// Returns the color with the parts that it lacks from another.
  func completed(by other: DeclaredColor) -> DeclaredColor {
    var color = self
    color.profile = profile ?? other.profile
    color.coding = coding ?? other.coding
    return color
  }
}

/// The values of ITU-T H.273 that describe samples.
struct CodingPoints: Hashable {
  let primaries: UInt8
  let transfer: UInt8
  let matrix: UInt8
  let isFullRange: Bool
}

/// The size of a picture in pixels; both sides are positive.
struct PixelSize: Hashable {
  let width: Int
  let height: Int

  init(width: Int, height: Int) throws(HEIFFailure) {
    guard width > 0, height > 0 else { throw .corrupt("no pixels") }
    guard width <= 1 << 24, height <= 1 << 24 else { throw .tooLarge("\(width)x\(height) pixels") }
    (self.width, self.height) = (width, height)
  }

  var pixelCount: Int { width * height }
}

/// A part of a picture.
struct PixelArea: Hashable {
  let x: Int
  let y: Int
  let width: Int
  let height: Int

  /// The whole of a picture.
  init(_ size: PixelSize) { (x, y, width, height) = (0, 0, size.width, size.height) }

  /// Reads a `clap` property: a size, and the offset of its center from that of the picture, as fractions; nil unless
  /// it is of whole pixels within the picture.
  ///
  /// Source: ISO/IEC 14496-12, section 12.1.4.
  init?(crop reader: inout ByteReader, of size: PixelSize) throws(HEIFFailure) {
    var values: [(numerator: Int, denominator: Int)] = []
    for _ in 0..<4 { values.append((try reader.signedInteger(), try reader.signedInteger())) }
    func start(
      _ length: (numerator: Int, denominator: Int), _ offset: (numerator: Int, denominator: Int),
      of side: Int
    ) -> Range<Int>? {
      // Denominators are unsigned, but larger ones do not occur.
      guard length.denominator > 0, offset.denominator > 0 else { return nil }
      let count = length.numerator / length.denominator
      guard count > 0, count <= side, length.numerator % length.denominator == 0 else {
        return nil
      }
      let doubled = side - count
      let shift = 2 * offset.numerator
      guard shift % offset.denominator == 0 else { return nil }
      let start = doubled + shift / offset.denominator
      guard start % 2 == 0, start >= 0, start / 2 <= side - count else { return nil }
      return start / 2..<start / 2 + count
    }
    guard
      let columns = start(values[0], values[2], of: size.width),
      let rows = start(values[1], values[3], of: size.height)
    else { return nil }
    (x, y, width, height) = (columns.lowerBound, rows.lowerBound, columns.count, rows.count)
  }
}

/// The configuration of the codec of a coded picture.
enum CodecConfiguration: Hashable {
  case av1
  case hevc(HEVCConfiguration)
}
