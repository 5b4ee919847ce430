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
    self.init(TinyFit(TinyObjective(grid), byteCount: limit).best().blocks.coefficients)
  }
}

/// The search for the coefficients whose picture is closest to an image.
struct TinyFit {
  private let objective: TinyObjective
  private let byteCount: Int

  /// Prepares the search for a scan of up to `byteCount` bytes.
  init(_ objective: TinyObjective, byteCount: Int) {
    self.objective = objective
    self.byteCount = byteCount
  }

  /// Runs the search, and returns the coefficients whose picture was closest to the image.
  func best() -> Candidate {
    let roundLimit = 8
    var blocks = start
    var best = truncated(blocks)
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

  /// Removes the highest frequencies that exceed the byte limit.
  func truncated(_ blocks: TinyBlocks) -> Candidate {
    var blocks = blocks
    var bitLimit = byteCount * 8
    repeat {
      blocks.truncate(toBitCount: bitLimit)
      bitLimit -= 8
    } while TinyScan.bytes(of: blocks.coefficients).count > byteCount
    return Candidate(blocks, objective)
  }

  /// The rounded coefficients of the image, which may exceed the byte limit.
  var start: TinyBlocks {
    var blocks = TinyBlocks()
    let colors = objective.pixels
    let luma = colors.map { dot($0, SIMD3(0.299, 0.587, 0.114)) }
    blocks.set(0, to: luma.map { $0 * 255 - 128 })
    blocks.set(1, to: zip(colors, luma).map { ($0.z - $1) * (255 / 1.772) })
    blocks.set(2, to: zip(colors, luma).map { ($0.x - $1) * (255 / 1.402) })
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
      let planes = (0..<3).map { blocks.samples($0) }
      var picture: [SIMD4<Float>] = []
      var clampFactors: [SIMD4<Float>] = []
      for pixel in 0..<64 {
        let channels = TinyTransform.color(
          luma: planes[0][pixel] + 128, cb: planes[1][pixel], cr: planes[2][pixel])
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
