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
    let shape = Shape(width: grid.sourceWidth, height: grid.sourceHeight)
    self.init(encoding: grid, shape: shape, maximumByteCount: maximumByteCount)
  }

  /// Encodes a grid in an explicit shape.
  ///
  /// Use this if the grid comes from a square thumbnail, whose size does not reveal the shape of the image.
  package init(encoding grid: PixelGrid, shape: Shape, maximumByteCount: Int) {
    let range = Self.byteCounts
    let limit = max(range.lowerBound, min(range.upperBound, maximumByteCount))
    let fit = TinyFit(TinyObjective(grid, shape: shape), shape, byteCount: limit)
    self.init(fit.best().blocks.coefficients, shape: shape)
  }
}

/// The search for the coefficients whose picture is closest to an image.
struct TinyFit {
  private let objective: TinyObjective
  private let shape: TinyJPEG.Shape
  private let byteCount: Int

  /// Prepares the search for a scan of up to `byteCount` bytes.
  init(_ objective: TinyObjective, _ shape: TinyJPEG.Shape, byteCount: Int) {
    self.objective = objective
    self.shape = shape
    self.byteCount = byteCount
  }

  /// Runs the search, and returns the coefficients whose picture was closest to the image.
  func best() -> Candidate {
    let roundLimit = 8
    var blocks = start
    var best = unfitted
    var bitLimit = byteCount * 8
    // Reduces the curvature, because the objective sums distances, not squares.
    var curvatureFactor: Float = 0.37
    for _ in 0..<roundLimit {
      var candidate = Candidate(blocks, objective)
      if blocks.bitCount <= bitLimit {
        if TinyScan.bytes(of: blocks.coefficients).count > byteCount {
          // The zero byte after each 0xFF also counts towards the limit.
          bitLimit -= 8
        } else if candidate.value.distance < best.value.distance {
          best = candidate
        } else {
          curvatureFactor *= 1.4
          candidate = best
          blocks = best.blocks
        }
      }
      let model = TinyModel(candidate, objective, curvatureFactor: curvatureFactor)
      let before = blocks.levels
      blocks.descend(model, bitLimit: bitLimit)
      if blocks.levels == before { break }
    }
    return best
  }

  /// The rounded coefficients of the image, without the highest frequencies if these exceed the byte limit.
  var unfitted: Candidate {
    var blocks = start
    var bitLimit = byteCount * 8
    repeat {
      blocks.truncate(toBitCount: bitLimit)
      bitLimit -= 8
    } while TinyScan.bytes(of: blocks.coefficients).count > byteCount
    return Candidate(blocks, objective)
  }

  /// The rounded coefficients of the image, which may exceed the byte limit.
  private var start: TinyBlocks {
    var blocks = TinyBlocks(shape)
    for block in 0..<TinyCoefficients.blockCount {
      let samples = (0..<64).map { sample -> Float in
        let color = objective.pixels[sample / 8 * 16 + block / 3 * 8 + sample % 8]
        let luma = dot(color, SIMD3(0.299, 0.587, 0.114))
        switch block % 3 {
        case 0: return luma * 255 - 128
        case 1: return (color.z - luma) * (255 / 1.772)
        default: return (color.x - luma) * (255 / 1.402)
        }
      }
      blocks.set(block, to: samples)
    }
    return blocks
  }
}

extension TinyFit {
  /// Coefficients with the distance of their picture from the image.
  struct Candidate {
    let blocks: TinyBlocks
    let value: TinyObjective.Value

    /// For each pixel, the factors applied to the derivatives with respect to its channels: 1, or less for clamped
    /// channels.
    let clampFactors: [SIMD4<Float>]

    /// Renders the coefficients and compares the picture with the image.
    init(_ blocks: TinyBlocks, _ objective: TinyObjective) {
      let planes = (0..<TinyCoefficients.blockCount).map { blocks.samples($0) }
      var picture: [SIMD4<Float>] = []
      var clampFactors: [SIMD4<Float>] = []
      for pixel in 0..<128 {
        let (block, sample) = (pixel % 16 / 8 * 3, pixel / 16 * 8 + pixel % 8)
        let channels = TinyTransform.color(
          luma: planes[block][sample] + 128, cb: planes[block + 1][sample],
          cr: planes[block + 2][sample])
        let color = SIMD4(channels, 0) * (1 / 255)
        let shown = clamped(color, to: .one)
        picture.append(shown)
        // A coefficient does not change a clamped channel, but a small slope leads the search back into range.
        clampFactors.append(SIMD4<Float>.one.replacing(with: 0.3, where: color .!= shown))
      }
      self.blocks = blocks
      self.clampFactors = clampFactors
      value = objective.value(picture)
    }
  }
}
