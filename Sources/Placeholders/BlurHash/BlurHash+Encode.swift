/// Ways to choose the terms of a BlurHash; every decoder reads both.
@nonexhaustive
public enum BlurHashEncoding: String, Sendable, Hashable, CaseIterable {
  /// The terms of the C reference.
  case reference

  /// The hash whose preview is closest to the image.
  case fitted
}

extension BlurHash {
  /// Hashes a grid, as the reference would hash the image that the grid was made of.
  ///
  /// Where a cell is a pixel, the text is the reference's to the letter. Otherwise a cell's mean stands
  /// for its pixels, with cosines summed over them.
  ///
  /// - Parameters:
  ///   - grid: The image, in linear light.
  ///   - components: How many terms to keep.
  /// - Complexity: O(cells · `components.x` · `components.y`).
  public init(encoding grid: PixelGrid, components: ComponentCount) {
    var projection = CosineProjection(
      columns: CosineBasis(componentCount: components.x, extents: grid.columns),
      rows: CosineBasis(componentCount: components.y, extents: grid.rows))
    let width = grid.columns.count
    for y in grid.rows.indices {
      projection.add(grid.light[y * width..<(y + 1) * width], y: y)
    }
    var terms = projection.terms(pixelCount: grid.sourceWidth * grid.sourceHeight)
    // The cosines are taken at the corners of pixels, so even a flat image has terms: those of a
    // panorama 92 pixels high can be seen. Where a cell is a pixel they are kept, because the
    // reference has them too.
    if !grid.hasPixelCells && grid.isFlat {
      terms = [terms[0]] + terms.dropFirst().map { _ in .zero }
    }
    self.init(quantizing: terms, components: components)
  }

  /// Hashes a bitmap of any size exactly as the C reference does.
  ///
  /// - Parameters:
  ///   - bitmap: sRGB samples.
  ///   - components: How many terms to keep.
  /// - Complexity: O(pixels · `components.x` · `components.y`); a decoded ``PixelGrid`` costs less.
  public init(encoding bitmap: Bitmap, components: ComponentCount) {
    var projection = CosineProjection(
      columns: CosineBasis(componentCount: components.x, length: bitmap.width),
      rows: CosineBasis(componentCount: components.y, length: bitmap.height))
    for y in 0..<bitmap.height {
      projection.add(bitmap.linearRow(y)[...], y: y)
    }
    self.init(
      quantizing: projection.terms(pixelCount: bitmap.width * bitmap.height),
      components: components)
  }

  /// Quantizes terms as the reference does, with its roundings between single and double precision.
  init(quantizing terms: [SIMD3<Float>], components: ComponentCount) {
    let ac = terms.dropFirst()
    let largest = ac.reduce(Float(0)) { largest, term in
      max(largest, abs(term.x), abs(term.y), abs(term.z))
    }
    let quantizedMaximum = Self.quantized(Double(largest * 166) - 0.5, in: 0...82)
    let maximum = Float(quantizedMaximum + 1) / 166
    let samples = SRGB.samples(ofLinear: terms[0])
    self.init(
      components: components,
      quantizedMaximum: ac.isEmpty ? 0 : quantizedMaximum,
      dc: Int(samples.x) << 16 | Int(samples.y) << 8 | Int(samples.z),
      ac: ac.map { term in
        let digits = (0..<3).map { Self.digit(of: term[$0] / maximum) }
        return (digits[0] * 19 + digits[1]) * 19 + digits[2]
      })
  }

  /// One of 19 steps for -1...1, closer together around 0.
  private static func digit(of value: Float) -> Int {
    let root = Float(signOf: value, magnitudeOf: abs(value).squareRoot())
    return quantized(Double(root * 9) + 9.5, in: 0...18)
  }

  private static func quantized(_ value: Double, in range: ClosedRange<Float>) -> Int {
    Int(max(range.lowerBound, min(range.upperBound, Float(value).rounded(.down))))
  }
}
