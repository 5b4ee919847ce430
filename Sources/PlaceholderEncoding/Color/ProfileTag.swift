/// A tag of an ICC profile that is kept, and where its element lies in the profile.
struct ProfileTag {
  /// What the element of a tag has to be.
  enum Kind {
    case curve
    case color
    case table

    /// What is kept under a name; nil for tags that are not.
    init?(tag name: String) {
      switch name {
      case "rTRC", "gTRC", "bTRC", "kTRC": self = .curve
      case "rXYZ", "gXYZ", "bXYZ": self = .color
      case "A2B0": self = .table
      default: return nil
      }
    }
  }

  let name: String
  let kind: Kind
  let place: Range<Int>

  /// The most numbers in a table.
  ///
  /// A large CMYK table, with 17 points per ink, has 250,563.
  static let maximumSampleCount = 1 << 19
  /// The most bytes of an element: a table of two bytes a number, with the curves around it.
  static let maximumSize = 2 << 20

  /// Whether the element is of a type that the tag may have, and no larger than it needs to be.
  func isBounded(in icc: Span<UInt8>, channelCount: Int) -> Bool {
    guard place.count <= Self.maximumSize, let type = integer(at: 0, size: 4, in: icc) else {
      return false
    }
    switch (kind, type) {
    // In order: 'curv', 'para', 'XYZ ', 'mft1', 'mft2', 'mAB '.
    case (.curve, 0x6375_7276): return hasCurve(in: icc)
    case (.curve, 0x7061_7261): return true
    case (.color, 0x5859_5A20): return place.count >= 20
    case (.table, 0x6D66_7431): return hasTable(bytesPerSample: 1, channelCount, in: icc)
    case (.table, 0x6D66_7432): return hasTable(bytesPerSample: 2, channelCount, in: icc)
    case (.table, 0x6D41_4220): return hasStages(channelCount, in: icc)
    default: return false
    }
  }

  /// Reads a number of the element, and none behind it.
  private func integer(at offset: Int, size: Int, in icc: Span<UInt8>) -> Int? {
    guard offset <= place.count - size else { return nil }
    return icc.integer(at: place.lowerBound + offset, size: size).map(Int.init)
  }

  /// A `curveType`: a count, and as many numbers of 16 bits.
  private func hasCurve(in icc: Span<UInt8>) -> Bool {
    integer(at: 8, size: 4, in: icc).map { place.count >= 12 + 2 * $0 } ?? false
  }

  /// A `lut8Type` or `lut16Type`: as many channels in as the image has and three out, with curves of
  /// one length before the table, and of another one behind it.
  private func hasTable(
    bytesPerSample: Int, _ channelCount: Int, in icc: Span<UInt8>
  ) -> Bool {
    let hasLengths = bytesPerSample == 2
    guard
      integer(at: 8, size: 1, in: icc) == channelCount, integer(at: 9, size: 1, in: icc) == 3,
      let pointCount = integer(at: 10, size: 1, in: icc),
      let inputLength = hasLengths ? integer(at: 48, size: 2, in: icc) : 256,
      let outputLength = hasLengths ? integer(at: 50, size: 2, in: icc) : 256,
      let sampleCount = Self.sampleCount(Array(repeating: pointCount, count: channelCount))
    else { return false }
    let total = channelCount * inputLength + sampleCount + 3 * outputLength
    return place.count >= (hasLengths ? 52 : 48) + total * bytesPerSample
  }

  /// A `lutAToBType`: curves, a table, curves, a matrix, and curves, of which some may be missing.
  ///
  /// lcms reads each of them once, and of a curve no more than its bound.
  private func hasStages(_ channelCount: Int, in icc: Span<UInt8>) -> Bool {
    guard
      integer(at: 8, size: 1, in: icc) == channelCount, integer(at: 9, size: 1, in: icc) == 3,
      let table = integer(at: 24, size: 4, in: icc)
    else { return false }
    guard table != 0 else { return channelCount == 3 }
    let pointCounts = (0..<channelCount).compactMap { integer(at: table + $0, size: 1, in: icc) }
    guard
      pointCounts.count == channelCount, let sampleCount = Self.sampleCount(pointCounts),
      let bytesPerSample = integer(at: table + 16, size: 1, in: icc)
    else { return false }
    return place.count >= table + 20 + sampleCount * bytesPerSample
  }

  /// The numbers of a table with three of them for each point; nil if there are too many.
  private static func sampleCount(_ pointCounts: [Int]) -> Int? {
    // Four factors below 256 do not overflow.
    let count = pointCounts.reduce(3, *)
    return pointCounts.allSatisfy { $0 > 1 } && count <= maximumSampleCount ? count : nil
  }
}
