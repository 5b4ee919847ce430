/// The size of a view that shows an image, computed before the image is loaded.
public struct ImageBox: Sendable, Hashable {
  /// The width in points.
  public let width: Double
  /// The height in points.
  public let height: Double

  /// Shrinks an image to maximum sides; it is never enlarged.
  ///
  /// Sizes in messages come from strangers, so the sides of the image are clamped to 1...16,384, and those of the box
  /// are at least one point.
  public init(width: Int, height: Int, maxWidth: Double, maxHeight: Double) {
    let sides = SIMD2(Double(width), Double(height)).clamped(
      lowerBound: SIMD2(repeating: 1), upperBound: SIMD2(repeating: 16_384))
    let scale = min(1, maxWidth / sides.x, maxHeight / sides.y)
    self.width = max(1, sides.x * scale)
    self.height = max(1, sides.y * scale)
  }
}
