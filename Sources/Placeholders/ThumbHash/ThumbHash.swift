/// A blurred preview in about 25 bytes, with the image's rough shape and its transparency.
///
/// Source: evanw/thumbhash, `js/thumbhash.js`; a color is lightness and two differences of sRGB samples,
/// a channel the lowest terms of its cosine transform.
public struct ThumbHash: Sendable, Hashable {
  /// The hash: 5 bytes of header, one more with alpha, and half a byte a term.
  public let bytes: [UInt8]

  /// Takes the bytes of a hash.
  ///
  /// - Parameter bytes: A header, and as many terms as it says.
  /// - Throws: ``ThumbHashError``, for bytes that no encoder could have written.
  public init(bytes: [UInt8]) throws(ThumbHashError) {
    guard bytes.count >= 5 else { throw .tooShort(byteCount: bytes.count) }
    self.init(unchecked: bytes)
    guard 1...(hasAlpha ? 5 : 7) ~= shortSide else { throw .noShape(shortSide) }
    guard bytes.count == byteCount else {
      throw .wrongLength(expected: byteCount, actual: bytes.count)
    }
  }

  init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether some of the image is transparent.
  public var hasAlpha: Bool { bytes[2] & 0x80 != 0 }

  /// Whether the image is wider than high.
  var isLandscape: Bool { bytes[4] & 0x80 != 0 }

  /// The terms along the shorter side, by which the hash tells the image's shape.
  private var shortSide: Int { Int(bytes[3] & 7) }

  /// The terms across and down that stand for the shape, from 1 to 7.
  private var shape: (x: Int, y: Int) {
    let longSide = hasAlpha ? 5 : 7
    return isLandscape ? (longSide, shortSide) : (shortSide, longSide)
  }

  /// Roughly the width over the height.
  public var aspectRatio: Double { Double(shape.x) / Double(shape.y) }

  /// The terms of the lightness.
  var lightnessTerms: TriangularTerms { TriangularTerms(x: max(3, shape.x), y: max(3, shape.y)) }

  /// The bytes that a hash with this header has.
  private var byteCount: Int {
    let colorTerms = lightnessTerms.count + 2 * TriangularTerms.color.count
    return hasAlpha
      ? 6 + (colorTerms + TriangularTerms.alpha.count + 1) / 2 : 5 + (colorTerms + 1) / 2
  }
}
