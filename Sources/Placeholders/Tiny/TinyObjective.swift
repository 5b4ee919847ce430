/// The objective of the fit of a tiny JPEG: the distance between the rendered picture and an image.
///
/// The distance is the weighted sum of the mean differences in OKLab at four scales.
struct TinyObjective: Sendable {
  /// The weight of the mean distance at each scale, finest first.
  static let weights: SIMD4<Float> = SIMD4(1, 0.1, 0.1, 0.1)

  /// The weight of differences in tint, relative to those in lightness.
  static let tintWeight: Float = 1.3

  /// The constant added to each squared distance, because the slope of a square root is unbounded at zero.
  private static let minimumSquare: Float = 0.000_05

  /// The image in OKLab, and the weight of each part.
  private let planes: PlaneStore

  /// The mean color of the image in each of the 8×8 pixels, as encoded sRGB; row-major.
  let pixels: [SIMD3<Float>]

  /// The products of the derivatives of OKLab with respect to Y, Cb and Cr at each pixel: Y-Y, Y-Cb, Y-Cr, Cb-Cb,
  /// Cb-Cr, Cr-Cr.
  let metric: [SIMD8<Float>]

  /// The taps that enlarge a row or column of pixels to fine parts.
  private static let taps = LinearTap.all(from: TinyJPEG.side, to: TinyLayout.side)

  /// The weight of each part in the distance.
  private static let shares: [Parts] = TinyLayout.all.map { group in
    if TinyLayout.fine.contains(group) { return Parts(repeating: weights[0] / 576) }
    if TinyLayout.twelfths.contains(group) { return Parts(repeating: weights[1] / 144) }
    if TinyLayout.sixths.contains(group) { return Parts(repeating: weights[2] / 36) }
    let share = weights[3] / 9
    return group == TinyLayout.all.upperBound - 1
      ? Parts(share, 0, 0, 0) : Parts(repeating: share)
  }

  /// The matrix from cone roots to OKLab components, with tints multiplied by ``tintWeight``.
  private static let mixing: Oklab.Rows = (
    Oklab.componentsOfRoots.0, Oklab.componentsOfRoots.1 * tintWeight,
    Oklab.componentsOfRoots.2 * tintWeight
  )

  private static func transposed(_ rows: Oklab.Rows) -> Oklab.Rows {
    (
      SIMD3(rows.0.x, rows.1.x, rows.2.x), SIMD3(rows.0.y, rows.1.y, rows.2.y),
      SIMD3(rows.0.z, rows.1.z, rows.2.z)
    )
  }

  /// Prepares the comparison of pictures with an image.
  init(_ grid: PixelGrid) {
    let side = TinyLayout.side
    let points = grid.points(width: side, height: side)
    planes = PlaneStore(planeCount: 4, groupCount: TinyLayout.groupCount) { planes in
      planes[3].set(over: TinyLayout.all) { Self.shares[$0] }
      let colors = planes.color(0)
      for group in TinyLayout.fine {
        func point(_ lane: Int) -> SIMD4<Float> {
          let position = TinyLayout.positions[group * 4 + lane]
          return points[position.y * side + position.x]
        }
        colors.set(group, to: (point(0), point(1), point(2), point(3)))
      }
      Planes.withScratch(count: 3, groupCount: TinyLayout.groupCount) { scratch in
        Self.setComponents(colors, roots: scratch.color(0))
      }
    }
    pixels = grid.points(width: TinyJPEG.side, height: TinyJPEG.side).map {
      SRGB.encoded(ofLinear: $0.xyz)
    }
    metric = pixels.map(Self.metric)
  }

  private static func metric(ofEncoded color: SIMD3<Float>) -> SIMD8<Float> {
    let (light, slope) = FastOklab.light(ofEncoded: color)
    let rates = FastOklab.derivatives(
      coneRoots: FastOklab.components(linear: light).coneRoots, slope: slope, minimumSquare: 0.004)
    let weights = SIMD3(1, tintWeight, tintWeight)
    let (red, green, blue) = (rates.red * weights, rates.green * weights, rates.blue * weights)
    let luma = red + green + blue
    let cb = 1.772 * blue - 0.344_136 * green
    let cr = 1.402 * red - 0.714_136 * green
    return SIMD8(
      dot(luma, luma), dot(luma, cb), dot(luma, cr), dot(cb, cb), dot(cb, cr), dot(cr, cr), 0, 0)
  }

  /// Replaces the linear light of the fine parts with the OKLab components of all parts.
  @inline(__always)
  private static func setComponents(_ colors: MutableColorPlanes, roots: MutableColorPlanes) {
    TinyLayout.average(colors.x)
    TinyLayout.average(colors.y)
    TinyLayout.average(colors.z)
    roots.set(coneRootsOf: colors, over: TinyLayout.all)
    colors.set(mixing: roots, by: mixing, over: TinyLayout.all)
  }

  /// The distance of a picture, its slope, and the importance of each pixel.
  struct Value {
    let distance: Float

    /// The derivatives of the distance with respect to the encoded color of each pixel.
    let slope: [SIMD4<Float>]

    /// For each pixel, the weighted sum of the inverse distances of its fine parts.
    let importance: [Float]
  }

  /// Compares a picture with the image.
  ///
  /// - Parameter picture: The encoded colors, in 0...1, of the 8×8 pixels, row-major.
  /// - Returns: The distance and its derivatives.
  func value(_ picture: [SIMD4<Float>]) -> Value {
    planes.with { planes in
      Planes.withScratch(count: 10, groupCount: TinyLayout.groupCount) { scratch in
        let (color, roots, rate) = (scratch.color(0), scratch.color(3), scratch.color(6))
        let image = planes.color(0)
        let shares = planes[3]
        let inverse = scratch[9]
        Self.enlarge(picture, color)
        for (plane, rate) in [(color.x, rate.x), (color.y, rate.y), (color.z, rate.z)] {
          rate.set(over: TinyLayout.fine) { FastOklab.lightRate(ofEncoded: plane[$0]) }
          plane.set(over: TinyLayout.fine) { FastOklab.light(ofEncoded: plane[$0]) }
        }
        Self.setComponents(color, roots: roots)
        var sum = Parts.zero
        color.set(color, minus: image, over: TinyLayout.all)
        inverse.set(over: TinyLayout.all) { group in
          let distance = FastOklab.squareRoots(
            color.dot(color, group) + Parts(repeating: Self.minimumSquare))
          sum += distance * shares[group]
          return shares[group] / distance
        }
        color.set(color, times: inverse, over: TinyLayout.all)
        let slope = Self.slope(color, roots: roots, rate: rate, inverse: inverse)
        return Value(distance: sum.sum(), slope: slope.colors, importance: slope.importance)
      }
    }
  }

  /// Converts derivatives with respect to OKLab components to those with respect to the encoded colors of the pixels.
  private static func slope(
    _ color: MutableColorPlanes, roots: MutableColorPlanes, rate: MutableColorPlanes,
    inverse: MutablePlane
  ) -> (colors: [SIMD4<Float>], importance: [Float]) {
    let least = Parts(repeating: 0.004)
    func divide(_ slope: MutablePlane, _ root: MutablePlane) {
      slope.set(over: TinyLayout.all) { group in
        let square = root[group] * root[group]
        return slope[group] / (square.replacing(with: least, where: square .< least) * 3)
      }
    }
    // `roots` is still needed, so each group is mixed in place.
    mix(color, by: transposed(mixing))
    divide(color.x, roots.x)
    divide(color.y, roots.y)
    divide(color.z, roots.z)
    mix(color, by: transposed(Oklab.conesOfLight))
    TinyLayout.distribute(color.x)
    TinyLayout.distribute(color.y)
    TinyLayout.distribute(color.z)
    color.x.set(over: TinyLayout.fine) { color.x[$0] * rate.x[$0] }
    color.y.set(over: TinyLayout.fine) { color.y[$0] * rate.y[$0] }
    color.z.set(over: TinyLayout.fine) { color.z[$0] * rate.z[$0] }
    return reduce(color, inverse)
  }

  @inline(__always)
  private static func mix(_ color: MutableColorPlanes, by rows: Oklab.Rows) {
    for group in TinyLayout.all {
      let (x, y, z) = (color.x[group], color.y[group], color.z[group])
      color.x[group] = x * rows.0.x + y * rows.0.y + z * rows.0.z
      color.y[group] = x * rows.1.x + y * rows.1.y + z * rows.1.z
      color.z[group] = x * rows.2.x + y * rows.2.y + z * rows.2.z
    }
  }

  /// Upscales the picture to the resolution of the fine parts, with bilinear interpolation.
  private static func enlarge(_ picture: [SIMD4<Float>], _ color: MutableColorPlanes) {
    var tall: [SIMD4<Float>] = []
    tall.reserveCapacity(8 * TinyLayout.side)
    for row in taps {
      for x in 0..<8 {
        tall.append(row.mix(picture[row.first * 8 + x], picture[row.second * 8 + x]))
      }
    }
    for group in TinyLayout.fine {
      func point(_ lane: Int) -> SIMD4<Float> {
        let position = TinyLayout.positions[group * 4 + lane]
        let tap = taps[position.x]
        return tap.mix(tall[position.y * 8 + tap.first], tall[position.y * 8 + tap.second])
      }
      color.set(group, to: (point(0), point(1), point(2), point(3)))
    }
  }

  /// Sums the slopes of the fine parts for each pixel: the transpose of `enlarge`.
  private static func reduce(
    _ color: MutableColorPlanes, _ inverse: MutablePlane
  ) -> (colors: [SIMD4<Float>], importance: [Float]) {
    var tall = [SIMD4<Float>](repeating: .zero, count: 8 * TinyLayout.side)
    for part in 0..<576 {
      let position = TinyLayout.positions[part]
      let tap = taps[position.x]
      let slope = SIMD4(
        color.x[part: part], color.y[part: part], color.z[part: part], inverse[part: part])
      tall[position.y * 8 + tap.first] += slope * (1 - tap.share)
      tall[position.y * 8 + tap.second] += slope * tap.share
    }
    var pixels = [SIMD4<Float>](repeating: .zero, count: 64)
    for (y, row) in taps.enumerated() {
      for x in 0..<8 {
        let slope = tall[y * 8 + x]
        pixels[row.first * 8 + x] += slope * (1 - row.share)
        pixels[row.second * 8 + x] += slope * row.share
      }
    }
    return (pixels, pixels.map { $0.w })
  }
}
