/// The configuration of HEVC pictures: the `hvcC` property.
///
/// Sources: ISO/IEC 14496-15, section 8.3.3; ITU-T H.265, sections 7.3 and 7.4.2.2.
struct HEVCConfiguration: Hashable {
  /// The number of bytes of the size before each unit.
  private let sizeLength: Int
  /// The parameter sets, each preceded by its size in four bytes.
  let parameterSets: [UInt8]
  /// The sequence parameters, which all sets must share.
  let sequence: SequenceParameters

  /// The maximum size of the property: each of many tiles can have its own.
  private static let maximumByteCount = 1 << 14

  /// The types of units.
  private enum Kind {
    static let intraPictures = 16...21
    static let interPictures = 0...15
    static let sequenceParameters = 33
    static let parameterSets = 32...34
  }

  /// Reads the content of the property.
  init(_ reader: inout ByteReader) throws(HEIFFailure) {
    guard reader.count <= Self.maximumByteCount else { throw .tooLarge("parameter sets") }
    guard try reader.integer(1) == 1 else { throw .unsupported("version of 'hvcC'") }
    try reader.skip(20)
    sizeLength = try reader.integer(1) & 3 + 1
    guard sizeLength != 3 else { throw .corrupt("sizes of three bytes") }
    var units: [UInt8] = []
    var sequence: SequenceParameters?
    for _ in 0..<(try reader.integer(1)) {
      try reader.skip(1)
      for _ in 0..<(try reader.integer(2)) {
        let unit = try reader.slice(try reader.integer(2))
        guard let kind = Self.kind(of: unit), Kind.parameterSets.contains(kind) else { continue }
        if kind == Kind.sequenceParameters {
          let own = try SequenceParameters(unit)
          guard sequence == nil || sequence == own else {
            throw .unsupported("two sequences in one picture")
          }
          sequence = own
        }
        Self.append(unit, to: &units)
      }
    }
    guard let sequence else { throw .corrupt("no sequence parameters") }
    self.sequence = sequence
    parameterSets = units
  }

  /// Returns the units of the first picture in a payload, after the parameter sets, each preceded by its size in four
  /// bytes.
  ///
  /// Only units of intra pictures and parameter sets remain.
  func bitstream(_ payload: [UInt8]) throws(HEIFFailure) -> [UInt8] {
    var units = parameterSets
    var reader = ByteReader(payload)
    var hasPicture = false
    while !reader.isAtEnd {
      guard sizeLength <= reader.count else { throw .corrupt("a unit without a size") }
      let size = try reader.integer(sizeLength)
      guard size <= reader.count else { throw .corrupt("a unit exceeds the picture") }
      let range = try reader.range(size)
      let unit = payload[range]
      guard let kind = Self.kind(of: unit) else { continue }
      switch kind {
      case Kind.intraPictures:
        // The first bit after the header marks the first slice of a picture.
        guard unit.count > 2 else { throw .corrupt("an empty slice") }
        let isFirst = unit[unit.startIndex + 2] >> 7 == 1
        guard !(isFirst && hasPicture) else { return units }
        hasPicture = true
      case Kind.interPictures: throw .unsupported("a picture that refers to others")
      case Kind.sequenceParameters:
        guard try SequenceParameters(unit) == sequence else {
          throw .corrupt("sequence parameters that differ from 'hvcC'")
        }
      case Kind.parameterSets: break
      default: continue
      }
      Self.append(unit, to: &units)
    }
    guard hasPicture else { throw .corrupt("no picture in the data") }
    return units
  }

  /// Returns the type of a unit of the base layer; nil for other units.
  private static func kind(of unit: some RandomAccessCollection<UInt8>) -> Int? {
    guard unit.count >= 2, let first = unit.first, let second = unit.dropFirst().first else {
      return nil
    }
    let layer = Int(first & 1) << 5 | Int(second >> 3)
    return layer == 0 ? Int(first >> 1 & 63) : nil
  }

  private static func append(_ unit: ArraySlice<UInt8>, to units: inout [UInt8]) {
    for shift in [24, 16, 8, 0] { units.append(UInt8(truncatingIfNeeded: unit.count >> shift)) }
    units += unit
  }
}

/// The part of the sequence parameters of HEVC that determines how much memory a picture needs.
///
/// Source: ITU-T H.265, section 7.3.2.2.
struct SequenceParameters: Hashable {
  /// 0 for luma only, then 4:2:0, 4:2:2 and 4:4:4.
  let chromaFormat: Int
  let width: Int
  let height: Int
  /// The size of the picture without the padding to whole coding blocks.
  let shownWidth: Int
  let shownHeight: Int
  let depth: Int

  /// Reads a unit with its header.
  init(_ unit: ArraySlice<UInt8>) throws(HEIFFailure) {
    var reader = BitReader(Self.withoutEmulationPrevention(unit))
    try reader.skip(16 + 4)
    let subLayerCount = try reader.bits(3)
    try reader.skip(1)
    try Self.skipProfile(&reader, subLayerCount: subLayerCount)
    _ = try reader.exponentialGolomb()
    chromaFormat = try reader.exponentialGolomb()
    guard chromaFormat <= 3 else { throw .corrupt("an unknown chroma format") }
    if chromaFormat == 3, try reader.flag() { throw .unsupported("separate color planes") }
    (width, height) = (try reader.exponentialGolomb(), try reader.exponentialGolomb())
    guard width > 0, height > 0 else { throw .corrupt("no pixels") }
    guard width <= 1 << 16, height <= 1 << 16 else { throw .tooLarge("\(width)x\(height) pixels") }
    var edges = [0, 0, 0, 0]
    if try reader.flag() {
      for index in edges.indices { edges[index] = try reader.exponentialGolomb() }
    }
    let unitWidth = chromaFormat == 1 || chromaFormat == 2 ? 2 : 1
    let unitHeight = chromaFormat == 1 ? 2 : 1
    shownWidth = width - (edges[0] + edges[1]) * unitWidth
    shownHeight = height - (edges[2] + edges[3]) * unitHeight
    guard shownWidth > 0, shownHeight > 0 else { throw .corrupt("no pixels") }
    depth = 8 + (try reader.exponentialGolomb())
    let chromaDepth = 8 + (try reader.exponentialGolomb())
    guard depth <= 12, chromaFormat == 0 || chromaDepth == depth else {
      throw .unsupported("\(depth)-bit luma with \(chromaDepth)-bit chroma")
    }
  }

  /// Skips `profile_tier_level`, whose lengths are fixed.
  private static func skipProfile(
    _ reader: inout BitReader, subLayerCount: Int
  ) throws(HEIFFailure) {
    try reader.skip(96)
    guard subLayerCount > 0 else { return }
    var lengths = 0
    for _ in 0..<subLayerCount {
      if try reader.flag() { lengths += 88 }
      if try reader.flag() { lengths += 8 }
    }
    try reader.skip((8 - subLayerCount) * 2 + lengths)
  }

  /// Removes the byte 3 after two zeros.
  ///
  /// The first 512 bytes are enough for the fields that are read.
  private static func withoutEmulationPrevention(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var zeros = 0
    for byte in unit.prefix(512) {
      if zeros >= 2 && byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      bytes.append(byte)
    }
    return bytes
  }
}
