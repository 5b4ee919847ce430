/// A blurred preview as a short text: the lowest cosine terms of an image, quantized.
///
/// The value holds just what the text does, so that reading and writing lose nothing.
///
/// Source: woltapp/blurhash, `Algorithm.md`; its C implementation where that is more precise.
public struct BlurHash: Sendable, Hashable, CustomStringConvertible {
  /// The largest of the AC terms, quantized: 0...82 stand for 1/166...83/166.
  package let quantizedMaximum: Int

  /// The average color: three sRGB samples, 24 bits.
  package let dc: Int

  /// Three digits of base 19 a term, for red, green and blue; row-major, from the second term on.
  package let ac: [Int]

  /// The number of terms along each axis.
  public let components: ComponentCount

  /// Takes quantized values, which are in range.
  package init(components: ComponentCount, quantizedMaximum: Int, dc: Int, ac: [Int]) {
    precondition(ac.count == components.count - 1, "there is one AC term less than there are terms")
    self.components = components
    self.quantizedMaximum = quantizedMaximum
    self.dc = dc
    self.ac = ac
  }

  /// The largest AC value that the quantization can express.
  var maximum: Float { Float(quantizedMaximum + 1) / 166 }

  /// The average color of the image.
  public var averageColor: SRGBColor {
    SRGBColor(
      red: UInt8(truncatingIfNeeded: dc >> 16), green: UInt8(truncatingIfNeeded: dc >> 8),
      blue: UInt8(truncatingIfNeeded: dc))
  }
}
