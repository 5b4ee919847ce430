extension BlurHash {
  /// Draws the preview.
  ///
  /// - Parameters:
  ///   - width: Pixels across.
  ///   - height: Pixels down.
  ///   - punch: Contrast, above 0; 1 is the image's own.
  /// - Precondition: Both sides are positive, and `punch` is positive and finite.
  /// - Returns: The pixels of the C reference's decoder, give or take one step.
  /// - Complexity: O(`width` · `height` · `components.x`).
  public func bitmap(width: Int, height: Int, punch: Float = 1) -> Bitmap {
    precondition(punch > 0 && punch.isFinite, "punch is a positive number")
    let terms = terms(punch: punch)
    let columns = CosineBasis(componentCount: components.x, length: width)
    let rows = CosineBasis(componentCount: components.y, length: height)
    let encoder = SRGBEncoder.shared
    return Bitmap(width: width, height: height) { y in
      let rowTerms = (0..<components.x).map { i in
        (0..<components.y).reduce(SIMD3<Float>.zero) { sum, j in
          sum + terms[j * components.x + i] * rows.values[j][y]
        }
      }
      return { x in
        var color = SIMD3<Float>.zero
        for i in rowTerms.indices { color += rowTerms[i] * columns.values[i][x] }
        return encoder.samples(ofLinear: color)
      }
    }
  }

  /// The linear color of each term, row-major, the average first.
  func terms(punch: Float) -> [SIMD3<Float>] {
    [averageColor.linear]
      + ac.map { value in
        let digits = SIMD3(Float(value / 361), Float(value / 19 % 19), Float(value % 19))
        let roots = (digits - 9) / 9
        return roots * roots.replacing(with: -roots, where: roots .< 0) * (maximum * punch)
      }
  }
}
