/// A figure on a plain ground: a logo, a sun, a face on black.
///
/// Viewers remember the figure even if it is small, but a fit that only minimizes the summed distance would
/// drop it.
struct Figure: Sendable {
  /// A plane: parts of the figure add up to 1, and those of the ground to -1.
  private let mask: PlaneStore

  /// From the mean color of the ground to that of the figure, both blurred to parts of the medium scale.
  private let contrast: SIMD3<Float>

  /// Finds the figure, if the image is one on a plain ground.
  ///
  /// - Parameter colors: The image in OKLab, at all scales.
  init?(in colors: ColorPlanes<ReadOnly>) {
    guard let ground = Self.ground(of: colors), let figure = Self.figure(of: colors, on: ground)
    else { return nil }
    mask = PlaneStore(planeCount: 1) { Self.setMask($0[0], colors, ground, figure) }
    contrast = mask.with { mask in
      // The fine parts of a medium one have its place in four groups.
      Self.difference(mask[0], colors) { group in
        ScaleLayout.medium.lowerBound + group % ScaleLayout.medium.count
      }
    }
  }

  /// How much of the contrast a picture should have.
  ///
  /// - Parameter weights: How much of each color is painted on each part.
  /// - Returns: Enough for half of the contrast within sharp edges; but not much more than there is if each
  ///   color is either the figure's or the ground's.
  func wantedContrast(_ weights: ScaleWeights) -> Float {
    let contrast = mask.with { mask in
      weights.planes.with { weights in
        (0..<weights.count).reduce(Float(0)) {
          $0 + max(0, mask[0].dot(weights[$1], over: ScaleLayout.fine))
        }
      }
    }
    return min(0.66, 1.8 * contrast)
  }

  /// How much of the figure a picture loses.
  ///
  /// - Parameters:
  ///   - colors: The picture in OKLab.
  ///   - wanted: How much of the contrast there should be.
  /// - Returns: What is missing of the contrast, and some of what it has in another direction.
  @inline(__always)
  func loss<Access>(in colors: ColorPlanes<Access>, wanted: Float) -> Float {
    let shown = mask.with { Self.difference($0[0], colors) { $0 } }
    let square = dot(contrast, contrast)
    let share = dot(shown, contrast) / square
    let aside = shown - share * contrast
    return max(0, wanted - share) + 0.25 * (dot(aside, aside) / square).squareRoot()
  }

  /// The sums of colors with a mask.
  @inline(__always)
  private static func difference<Access>(
    _ mask: Plane<ReadOnly>, _ colors: ColorPlanes<Access>, group: (_ fine: Int) -> Int
  ) -> SIMD3<Float> {
    var (x, y, z) = (Parts.zero, Parts.zero, Parts.zero)
    for fine in ScaleLayout.fine {
      x += mask[fine] * colors.x[group(fine)]
      y += mask[fine] * colors.y[group(fine)]
      z += mask[fine] * colors.z[group(fine)]
    }
    return SIMD3(x.sum(), y.sum(), z.sum())
  }

  /// The most frequent color, if it is that of 62 of the 144 fine parts or more.
  private static func ground(of colors: ColorPlanes<ReadOnly>) -> SIMD3<Float>? {
    let leastCount: Float = 62
    var best: (count: Float, color: SIMD3<Float>) = (0, .zero)
    for group in ScaleLayout.medium {
      for lane in 0..<4 {
        let color = colors[group, lane]
        let count = countNear(color, colors, over: ScaleLayout.medium)
        if count > best.count { best = (count, color) }
      }
    }
    return countNear(best.color, colors, over: ScaleLayout.fine) >= leastCount ? best.color : nil
  }

  /// The mean difference between the other parts and the ground, weighted by distance; nil if it is too
  /// small to see, or if the parts differ in different directions.
  private static func figure(
    of colors: ColorPlanes<ReadOnly>, on ground: SIMD3<Float>
  ) -> SIMD3<Float>? {
    let leastDistance: Float = 0.09
    let leastAgreement: Float = 0.8
    var (sum, count, squares) = (SIMD3<Float>.zero, Float(0), Float(0))
    for group in ScaleLayout.fine {
      let square = colors.squaredDistance(from: ground, group)
      let weight = square.squareRoot().replacing(with: Parts.zero, where: square .<= Self.near)
      count += weight.sum()
      squares += (weight * weight).sum()
      sum.x += (weight * (colors.x[group] - ground.x)).sum()
      sum.y += (weight * (colors.y[group] - ground.y)).sum()
      sum.z += (weight * (colors.z[group] - ground.z)).sum()
    }
    // As long as this only if all of them differ the same way.
    let agreement = dot(sum, sum).squareRoot() / max(squares, .leastNormalMagnitude)
    let figure = sum / max(count, .leastNormalMagnitude)
    return agreement >= leastAgreement && dot(figure, figure) >= leastDistance * leastDistance
      ? figure : nil
  }

  /// Lets the parts of the figure add up to 1, and those of the ground to -1.
  private static func setMask(
    _ mask: MutablePlane, _ colors: ColorPlanes<ReadOnly>, _ ground: SIMD3<Float>,
    _ figure: SIMD3<Float>
  ) {
    let direction = figure / dot(figure, figure)
    var inside: Float = 0
    for group in ScaleLayout.fine {
      let x = (colors.x[group] - ground.x) * direction.x
      let y = (colors.y[group] - ground.y) * direction.y
      let z = (colors.z[group] - ground.z) * direction.z
      // What is within a quarter of the way from one to the other is all of that one.
      mask[group] = clamped(2 * (x + y + z) - 0.5, to: .one)
      inside += mask[group].sum()
    }
    let outside = Float(ScaleLayout.fine.count * 4) - inside
    mask.set(over: ScaleLayout.fine) { mask[$0] / inside - (1 - mask[$0]) / outside }
  }

  /// The square of the distance up to which a part has the color of the ground.
  private static let near = Parts(repeating: 0.035 * 0.035)

  private static func countNear(
    _ color: SIMD3<Float>, _ colors: ColorPlanes<ReadOnly>, over groups: Range<Int>
  ) -> Float {
    var count = Parts.zero
    for group in groups {
      let isFar = colors.squaredDistance(from: color, group) .> near
      count += Parts.one.replacing(with: Parts.zero, where: isFar)
    }
    return count.sum()
  }
}
