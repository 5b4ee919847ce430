extension TinyJPEG {
  /// Encodes an image as the value whose enlarged picture is closest to the image.
  ///
  /// The coefficients are optimized jointly, within the byte limit, for the picture that a browser renders.
  ///
  /// - Parameters:
  ///   - grid: The image, composited over its background.
  ///   - maximumByteCount: The maximum number of bytes before padding, clamped to ``byteCounts``; up to two bytes of
  ///     padding are added.
  /// - Complexity: O(cells), plus about a million operations.
  public init(encoding grid: PixelGrid, maximumByteCount: Int = Self.byteCounts.upperBound) {
    let range = Self.byteCounts
    let limit = max(range.lowerBound, min(range.upperBound, maximumByteCount))
    let fit = TinyFit(objective: TinyObjective(grid.opaqueThumbnail), byteCount: limit)
    self.init(fit.best().blocks.coefficients)
  }
}

/// The search for the coefficients whose picture is closest to an image.
struct TinyFit {
  let objective: TinyObjective

  /// The maximum number of bytes before padding.
  let byteCount: Int

  /// Runs the search, and returns the coefficients whose picture was closest to the image.
  func best() -> Candidate {
    let descentLimit = 7
    var blocks = start
    var best = truncated(blocks)
    var bitLimit = byteCount * 8
    // Reduces the curvature, because the objective sums distances, not squares.
    var curvatureFactor: Float = 0.37
    var model = TinyModel(Candidate(blocks, objective), objective)
    for _ in 0..<descentLimit {
      blocks.descend(&model, curvatureFactor: curvatureFactor, bitLimit: bitLimit)
      if blocks.levels == model.origin { break }
      let isTooLong =
        blocks.bitCount > bitLimit || TinyScan.bytes(of: blocks.coefficients).count > byteCount
      let candidate = Candidate(
        blocks, objective, distanceLimit: isTooLong ? .infinity : best.distance)
      if isTooLong {
        // The zero byte after each 0xFF also counts towards the limit.
        bitLimit -= 8
        model = TinyModel(candidate, objective)
      } else if candidate.distance < best.distance {
        best = candidate
        model = TinyModel(candidate, objective)
      } else {
        curvatureFactor *= 1.4
        blocks = best.blocks
        if model.origin != blocks.levels {
          model = TinyModel(Candidate(blocks, objective), objective)
        }
      }
    }
    return best
  }

  /// Removes the highest frequencies that exceed the byte limit.
  func truncated(_ blocks: TinyBlocks) -> Candidate {
    var blocks = blocks
    var bitLimit = byteCount * 8
    repeat {
      blocks.truncate(toBitCount: bitLimit)
      bitLimit -= 8
    } while TinyScan.bytes(of: blocks.coefficients).count > byteCount
    return Candidate(blocks, objective, distanceLimit: 0)
  }

  /// The rounded coefficients of the image, which may exceed the byte limit.
  var start: TinyBlocks {
    TinyBlocks(
      rounding: objective.pixels.map { color in
        let luma = dot(color, SIMD3(0.299, 0.587, 0.114))
        return SIMD4(
          luma * 255 - 128, (color.z - luma) * (255 / 1.772), (color.x - luma) * (255 / 1.402), 0)
      })
  }

  /// Coefficients, with the distance of their picture from the image.
  struct Candidate {
    let blocks: TinyBlocks
    let distance: Float

    /// The derivatives of the distance with respect to the encoded color of each pixel, and in the fourth lane the
    /// importance of the pixel; empty if the distance is not below its limit.
    let slope: [SIMD4<Float>]

    /// Renders the coefficients and compares the picture with the image.
    init(_ blocks: TinyBlocks, _ objective: TinyObjective, distanceLimit: Float = .infinity) {
      self.blocks = blocks
      let colors = blocks.coefficients.samples.map { samples in
        SIMD4(TinyTransform.color(samples + SIMD4(128, 0, 0, 0)), 0) * (1 / 255)
      }
      let picture = colors.map { clamped($0, to: .one) }
      let (distance, slope) = objective.value(picture, distanceLimit: distanceLimit)
      self.distance = distance
      self.slope = slope.indices.map { pixel in
        // A coefficient does not change a clamped channel, but a small slope leads the search back into range.
        let factors = SIMD4<Float>.one.replacing(with: 0.3, where: colors[pixel] .!= picture[pixel])
        return slope[pixel] * factors
      }
    }
  }
}
