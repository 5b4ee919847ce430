/// How far a picture is from an image, at four scales: mean and root mean square in OKLab.
///
/// The scales are 48, 12, 6 and 3 cells a side. The mean distance at a fine scale alone is like a median:
/// least for a picture that is right about most cells, and gives up a face on black or a plant on a
/// white wall. Squares and coarse scales see these.
struct ScaledDistance: Sendable {
  /// The mean distances, from the finest scale on, then the root mean squares.
  let values: SIMD8<Float>

  /// How much of a figure is lost; 0 where there is none.
  let figureLoss: Float

  /// How many times the finest scale counts in the sum.
  let finestCount: Float

  /// The sum of the eight, the finest two counted as often as told.
  @inline(__always)
  var sum: Float { values.sum() + (finestCount - 1) * (means[0] + roots[0]) }

  /// The mean distances, from the finest scale on.
  var means: SIMD4<Float> { values.lowHalf }

  /// The root mean squares.
  var roots: SIMD4<Float> { values.highHalf }

  /// Takes the means of the distances and of their squares, from the finest scale on.
  @inline(__always)
  init(
    means: SIMD4<Float>, meanSquares: SIMD4<Float>, figureLoss: Float, finestCount: Float = 1
  ) {
    values = SIMD8(lowHalf: means, highHalf: meanSquares.squareRoot())
    self.figureLoss = figureLoss
    self.finestCount = finestCount
  }

  /// What a fit pays besides the sum: for a figure that is being lost, and for each scale at which the
  /// picture is farther from the image than it may be.
  @inline(__always)
  func penalty(beyond limits: SIMD8<Float>) -> Float {
    let excess = values - limits
    let excesses = excess.replacing(with: SIMD8<Float>.zero, where: excess .< SIMD8<Float>.zero)
    return 8 * figureLoss + 40 * excesses.sum()
  }
}

/// How much of each color is painted on each part of an image, at three scales.
struct ScaleWeights: Sendable {
  /// A plane for each color.
  let planes: PlaneStore

  /// How many colors there are.
  let count: Int

  /// Averages weights over parts.
  ///
  /// - Parameters:
  ///   - count: How many colors there are.
  ///   - weight: The weight of a color on a fine part, whose number is row-major.
  init(count: Int, weight: (_ color: Int, _ finePart: Int) -> Float) {
    self.count = count
    planes = PlaneStore(planeCount: count) { planes in
      for color in 0..<count {
        for group in ScaleLayout.fine {
          for lane in 0..<4 {
            guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
            planes[color][group][lane] = weight(color, part.row * ScaleLayout.side + part.column)
          }
        }
        ScaleLayout.average(planes[color])
      }
    }
  }
}
