extension TinyJPEG {
  /// Encodes the value whose enlarged picture is closest to an image.
  ///
  /// The coefficients are chosen together for the picture that a browser draws, under the limit of bytes.
  ///
  /// - Parameters:
  ///   - grid: The image, composited over its background.
  ///   - maximumByteCount: The maximum number of bytes, clamped to ``byteCounts``; up to two bytes of padding follow.
  /// - Complexity: O(cells), plus a million operations.
  public init(encoding grid: PixelGrid, maximumByteCount: Int = Self.byteCounts.upperBound) {
    let shape = Shape(width: grid.sourceWidth, height: grid.sourceHeight)
    self.init(encoding: grid, shape: shape, maximumByteCount: maximumByteCount)
  }

  /// Encodes a thumbnail of an image with a shape.
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

  /// The closest coefficients that were found.
  func best() -> Judged {
    let roundLimit = 8
    var blocks = start
    var best = unfitted
    var bitLimit = byteCount * 8
    // A little less curvature than that of squares, because distances are summed and not squares.
    var stiffness: Float = 0.37
    for _ in 0..<roundLimit {
      var judged = Judged(blocks, objective)
      if blocks.bitCount <= bitLimit {
        if TinyScan.bytes(of: blocks.coefficients).count > byteCount {
          // A zero after each 0xFF needs room, too.
          bitLimit -= 8
        } else if judged.value.distance < best.value.distance {
          best = judged
        } else {
          stiffness *= 1.4
          judged = best
          blocks = best.blocks
        }
      }
      let model = TinyModel(judged, objective, stiffness: stiffness)
      let before = blocks.levels
      blocks.descend(model, bitLimit: bitLimit)
      if blocks.levels == before { break }
    }
    return best
  }

  /// The rounded coefficients of the image, without the highest frequencies that do not fit the limit.
  var unfitted: Judged {
    var blocks = start
    var bitLimit = byteCount * 8
    repeat {
      blocks.truncate(toBitCount: bitLimit)
      bitLimit -= 8
    } while TinyScan.bytes(of: blocks.coefficients).count > byteCount
    return Judged(blocks, objective)
  }

  /// The rounded coefficients of the image.
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
  /// Coefficients, and how far their picture is from the image.
  struct Judged {
    let blocks: TinyBlocks
    let value: TinyObjective.Value

    /// What a change of each channel of a pixel counts.
    let isShown: [SIMD4<Float>]

    /// Compares the picture with the image.
    init(_ blocks: TinyBlocks, _ objective: TinyObjective) {
      let planes = (0..<TinyCoefficients.blockCount).map { blocks.samples($0) }
      var picture: [SIMD4<Float>] = []
      var isShown: [SIMD4<Float>] = []
      for pixel in 0..<128 {
        let (block, sample) = (pixel % 16 / 8 * 3, pixel / 16 * 8 + pixel % 8)
        let channels = TinyTransform.color(
          luma: planes[block][sample] + 128, cb: planes[block + 1][sample],
          cr: planes[block + 2][sample])
        let color = SIMD4(channels, 0) * (1 / 255)
        let shown = clamped(color, to: .one)
        picture.append(shown)
        // Beyond what can be shown a coefficient changes nothing; but a little of a slope leads back.
        isShown.append(SIMD4<Float>.one.replacing(with: 0.3, where: color .!= shown))
      }
      self.blocks = blocks
      self.isShown = isShown
      value = objective.value(picture)
    }
  }
}
