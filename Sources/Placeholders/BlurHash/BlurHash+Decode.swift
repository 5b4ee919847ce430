extension BlurHash {
  /// Renders the preview.
  ///
  /// The light of pixel (x, y) is `Σᵢ (Σⱼ termᵢⱼ · cos(πjy/height)) · cos(πix/width)`. The sums over j are computed
  /// once per row.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - punch: The factor by which the contrast is multiplied; 1 leaves the contrast unchanged.
  /// - Returns: Opaque pixels whose samples differ by at most 1 from those of the C reference.
  /// - Throws: ``ImageSizeError`` if a side is not positive.
  /// - Precondition: `punch` is positive and finite.
  /// - Complexity: O(`width` · `height` · `components.x`).
  public func bitmap(
    width: Int, height: Int, punch: Float = 1
  ) throws(ImageSizeError) -> RGBABitmap {
    try ImageSizeError.check(width: width, height: height)
    precondition(punch > 0 && punch.isFinite, "punch must be positive and finite")
    let terms = terms(punch: punch)
    let count = components.x
    let basis = CosineBasis(componentCount: count, length: width)
    let quadCount = PixelQuad.count(width: width)
    let columns = basis.values.flatMap { cosines in
      PixelQuad.lanes(width: width) { cosines[min($0, width - 1)] }
    }
    let rows = CosineBasis(componentCount: components.y, length: height)
    let encoder = SRGBEncoder.shared
    return RGBABitmap(width: width, height: height) { y in
      (0..<count).map { i in
        (0..<components.y).reduce(SIMD3<Float>.zero) { sum, j in
          sum + terms[j * count + i] * rows.values[j][y]
        }
      }
    } quad: { rowTerms, quad in
      var (red, green, blue) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
      for i in rowTerms.indices {
        let cosines = columns[i * quadCount + quad]
        red += rowTerms[i].x * cosines
        green += rowTerms[i].y * cosines
        blue += rowTerms[i].z * cosines
      }
      return PixelQuad(
        red: encoder.samples(of: red), green: encoder.samples(of: green),
        blue: encoder.samples(of: blue))
    }
  }

  /// Returns the linear color of each term, row-major; the average color is first.
  func terms(punch: Float) -> [SIMD3<Float>] {
    [averageColor.linear]
      + ac.map { value in
        let digits = SIMD3(Float(value / 361), Float(value / 19 % 19), Float(value % 19))
        let roots = (digits - 9) / 9
        return roots * roots.replacing(with: -roots, where: roots .< 0) * (maximum * punch)
      }
  }
}

extension BlurHash: DrawnPlaceholder {
  package var previewRatio: (x: Int, y: Int) { (components.x, components.y) }

  package func bitmap(width: Int, height: Int) throws(ImageSizeError) -> RGBABitmap {
    try bitmap(width: width, height: height, punch: 1)
  }
}
