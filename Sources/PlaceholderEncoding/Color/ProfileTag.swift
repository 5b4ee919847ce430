/// A tag of an ICC profile, and the byte range of its element in the profile.
struct ProfileTag {
  /// The names of the tags that the conversion to sRGB needs: curves, colors and a table.
  static let names = ["rTRC", "gTRC", "bTRC", "kTRC", "rXYZ", "gXYZ", "bXYZ", "A2B0"]

  let name: String
  let place: Range<Int>

  /// The maximum number of values in a table.
  ///
  /// A large CMYK table, with 17 points per ink, has 250,563.
  static let maximumSampleCount = 1 << 19
  /// The maximum size of an element in bytes: a table with two bytes per value, and its curves.
  static let maximumSize = 2 << 20

  /// Returns whether the element has an allowed type and a valid size, and needs only bounded memory in lcms.
  func isBounded(in icc: Span<UInt8>, channelCount: Int) -> Bool {
    guard place.count >= 4, place.count <= Self.maximumSize else { return false }
    let (isCurve, isColor) = (name.hasSuffix("TRC"), name.hasSuffix("XYZ"))
    let isTable = !isCurve && !isColor
    return switch icc.text(at: place.lowerBound) {
    case "curv": isCurve && hasCurve(in: icc)
    case "para": isCurve
    case "XYZ ": isColor && place.count >= 20
    case "mft1": isTable && hasTable(bytesPerSample: 1, channelCount, in: icc)
    case "mft2": isTable && hasTable(bytesPerSample: 2, channelCount, in: icc)
    case "mAB ": isTable && hasStages(channelCount, in: icc)
    default: false
    }
  }

  /// Reads an integer at an offset within the element; nil if it extends past the end of the element.
  private func integer(at offset: Int, size: Int, in icc: Span<UInt8>) -> Int? {
    guard offset <= place.count - size else { return nil }
    return icc.integer(at: place.lowerBound + offset, size: size).map(Int.init)
  }

  /// Returns whether the element is a valid `curveType`: a count, followed by that number of 16-bit values.
  private func hasCurve(in icc: Span<UInt8>) -> Bool {
    integer(at: 8, size: 4, in: icc).map { place.count >= 12 + 2 * $0 } ?? false
  }

  /// Returns whether the element is a valid `lut8Type` or `lut16Type` that maps `channelCount` channels to three.
  ///
  /// Input curves, all of one length, precede the table. Output curves, all of another length, follow it.
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

  /// Returns whether the element is a valid `lutAToBType`: curves, a table, curves, a matrix and curves, some of which
  /// are optional.
  ///
  /// lcms reads each stage once, and limits the number of entries in a curve.
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

  /// Returns the number of values in a table with three values per point; nil if the table is invalid or too large.
  private static func sampleCount(_ pointCounts: [Int]) -> Int? {
    // Four factors below 256 do not overflow.
    let count = pointCounts.reduce(3, *)
    return pointCounts.allSatisfy { $0 > 1 } && count <= maximumSampleCount ? count : nil
  }
}
