/// A figure on a plain ground, such as a logo, the sun or a face on black.
///
/// Viewers notice even a small figure, but a fit that only minimizes the summed distance drops it.
struct Figure: Sendable {
  /// A plane whose values sum to 1 over the figure and to -1 over the ground.
  private let mask: PlaneStore

  /// The mean color of the figure minus that of the ground, in the image averaged to medium parts.
  private let contrast: SIMD3<Float>

  /// Finds the figure in an image in OKLab, at all scales; nil if there is none on a plain ground.
  init?(in colors: ColorPlanes<ReadOnly>) {
    guard let ground = Self.ground(of: colors), let figure = Self.figure(of: colors, on: ground)
    else { return nil }
    mask = PlaneStore(planeCount: 1) { Self.setMask($0[0], colors, ground, figure) }
    contrast = mask.with { mask in
      // The four fine parts of a medium part occupy its lane in four groups.
      Self.difference(mask[0], colors) { group in
        ScaleLayout.medium.lowerBound + group % ScaleLayout.medium.count
      }
    }
  }

  /// Returns the share of the contrast that a picture should show, given the weights of its colors in each part.
  ///
  /// That is the smaller of two values: 0.66, which is enough for a figure with sharp edges to show half of its contrast,
  /// and 1.8 times the largest share that a picture can show if each of its colors is that of the figure or that of the
  /// ground.
  func wantedContrast(_ weights: PlaneStore) -> Float {
    let contrast = mask.with { mask in
      weights.with { weights in
        (0..<weights.count).reduce(Float(0)) {
          $0 + max(0, mask[0].dot(weights[$1], over: ScaleLayout.fine))
        }
      }
    }
    return min(0.66, 1.8 * contrast)
  }

  /// Returns the share of the wanted contrast that is missing in a picture, plus a quarter of the contrast in other
  /// directions, relative to that of the figure.
  @inline(__always)
  func loss<Access>(in colors: ColorPlanes<Access>, wanted: Float) -> Float {
    let shown = mask.with { Self.difference($0[0], colors) { $0 } }
    let square = dot(contrast, contrast)
    let share = dot(shown, contrast) / square
    let aside = shown - share * contrast
    return max(0, wanted - share) + 0.25 * (dot(aside, aside) / square).squareRoot()
  }

  /// Returns the sum of the colors, weighted by a mask; `group` maps a fine group of the mask to a group of the colors.
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

  /// Returns the most frequent color of the medium parts; nil if fewer than 62 of the 144 fine parts are close to it.
  private static func ground(of colors: ColorPlanes<ReadOnly>) -> SIMD3<Float>? {
    let minimumCount: Float = 62
    var best: (count: Float, color: SIMD3<Float>) = (0, .zero)
    for group in ScaleLayout.medium {
      for lane in 0..<4 {
        let color = colors[group, lane]
        let count = countNear(color, colors, over: ScaleLayout.medium)
        if count > best.count { best = (count, color) }
      }
    }
    return countNear(best.color, colors, over: ScaleLayout.fine) >= minimumCount ? best.color : nil
  }

  /// Returns the color of the figure minus that of the ground; nil if the difference is hardly visible, or if its
  /// direction varies too much between parts.
  ///
  /// The figure consists of the parts that are not close to the ground, weighted by their distance from it.
  private static func figure(
    of colors: ColorPlanes<ReadOnly>, on ground: SIMD3<Float>
  ) -> SIMD3<Float>? {
    let minimumDistance: Float = 0.09
    let minimumAgreement: Float = 0.8
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
    // 1 if all parts differ from the ground in the same direction.
    let agreement = dot(sum, sum).squareRoot() / max(squares, .leastNormalMagnitude)
    let figure = sum / max(count, .leastNormalMagnitude)
    return agreement >= minimumAgreement && dot(figure, figure) >= minimumDistance * minimumDistance
      ? figure : nil
  }

  /// Sets the values of a mask, which sum to 1 over the figure and to -1 over the ground.
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
      // Between ground and figure, the first quarter of the difference counts as ground, and the last as figure.
      mask[group] = clamped(2 * (x + y + z) - 0.5, to: .one)
      inside += mask[group].sum()
    }
    let outside = Float(ScaleLayout.fine.count * 4) - inside
    mask.set(over: ScaleLayout.fine) { mask[$0] / inside - (1 - mask[$0]) / outside }
  }

  /// The maximum squared distance at which two colors count as close.
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
