extension BlurHash {
  /// A method of computing the terms; every decoder can render the hashes of either method.
  @nonexhaustive
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// The terms that the C reference implementation computes.
    case reference

    /// The terms whose preview is closest to the image in OKLab, as found by a search.
    case fitted
  }

  /// Encodes an image.
  ///
  /// With ``Method/reference``, the hash approximates that of the C reference for the full-size image, and is identical
  /// to it if each cell is one pixel. A larger cell contributes its mean color, multiplied by the sum of the cosines
  /// over its pixels.
  ///
  /// - Parameters:
  ///   - grid: The image.
  ///   - components: The number of terms along each axis.
  ///   - method: The method of computing the terms.
  /// - Complexity: O(cells · terms); ``Method/fitted`` typically adds a few milliseconds.
  public init(
    encoding grid: PixelGrid, components: Components = .auto, method: Method = .reference
  ) {
    let count = components.count(width: grid.sourceWidth, height: grid.sourceHeight)
    switch method {
    case .reference: self.init(projecting: grid, components: count)
    case .fitted: self.init(fitting: grid, components: count)
    }
  }

  /// Projects an image onto the cosines and quantizes the terms, as the C reference does.
  init(projecting grid: PixelGrid, components: ComponentCount) {
    var projection = CosineProjection(
      columns: CosineBasis(componentCount: components.x, bounds: grid.columnBounds),
      rows: CosineBasis(componentCount: components.y, bounds: grid.rowBounds))
    let width = grid.columnCount
    for y in 0..<grid.rowCount {
      projection.add(grid.light[y * width..<(y + 1) * width], y: y)
    }
    var terms = projection.terms(pixelCount: grid.sourceWidth * grid.sourceHeight)
    // The reference samples its cosines at pixel corners, so even a flat image has AC terms. These terms are visible,
    // for example, in a panorama 92 pixels high. If each cell is one pixel, they are kept to match the reference.
    if !grid.hasPixelCells && grid.isFlat {
      terms = [terms[0]] + terms.dropFirst().map { _ in .zero }
    }
    self.init(quantizing: terms, components: components)
  }

  /// Quantizes terms as the C reference does, with the same mix of single and double precision.
  init(quantizing terms: [SIMD3<Float>], components: ComponentCount) {
    let ac = terms.dropFirst()
    let largest = ac.reduce(Float(0)) { largest, term in
      max(largest, abs(term.x), abs(term.y), abs(term.z))
    }
    let quantizedMaximum = Self.quantized(Double(largest * 166) - 0.5, in: 0...82)
    let maximum = Float(quantizedMaximum + 1) / 166
    self.init(
      components: components,
      quantizedMaximum: ac.isEmpty ? 0 : quantizedMaximum,
      dc: Self.dc(SIMD3(truncatingIfNeeded: SRGB.samples(ofLinear: terms[0]))),
      ac: ac.map { term in
        let ratio = term / maximum
        return Self.ac(
          SIMD3(Self.digit(of: ratio.x), Self.digit(of: ratio.y), Self.digit(of: ratio.z)))
      })
  }

  /// Packs the samples of the average color.
  static func dc(_ samples: SIMD3<Int>) -> Int { samples.x << 16 | samples.y << 8 | samples.z }

  /// Packs the three base-19 digits of an AC term.
  static func ac(_ digits: SIMD3<Int>) -> Int { (digits.x * 19 + digits.y) * 19 + digits.z }

  /// Returns the base-19 digit of a value in -1...1; the steps are finer around 0.
  private static func digit(of value: Float) -> Int {
    let root = Float(signOf: value, magnitudeOf: abs(value).squareRoot())
    return quantized(Double(root * 9) + 9.5, in: 0...18)
  }

  private static func quantized(_ value: Double, in range: ClosedRange<Float>) -> Int {
    Int(max(range.lowerBound, min(range.upperBound, Float(value).rounded(.down))))
  }
}
