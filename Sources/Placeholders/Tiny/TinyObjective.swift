/// The objective of the fit of a tiny JPEG: the distance between the rendered picture and an image.
///
/// The distance is the weighted sum of the mean differences in OKLab at four scales. On average, the picture is
/// 23 % closer to a photo than a ThumbHash, and 35 % closer than a BlurHash (`make bytes`).
struct TinyObjective: Sendable {
  /// The weight of the mean distance at each scale, finest first.
  static let weights: SIMD4<Float> = SIMD4(1, 0.1, 0.1, 0.1)

  /// The weights of differences in lightness and in tint.
  private static let tintWeights = SIMD3<Float>(1, 1.3, 1.3)

  /// The constant added to each squared distance, because the slope of a square root is unbounded at zero.
  private static let minimumSquare: Float = 0.000_05

  /// The lower bound for squared cone roots in derivatives, because the slope of a cube root is unbounded at zero.
  private static let minimumRootSquare: Float = 0.004

  /// The image in OKLab, and the weight of each part.
  private let planes: PlaneStore

  /// The mean color of the image in each of the 8×8 pixels, as encoded sRGB; row-major.
  let pixels: [SIMD3<Float>]

  /// The products of the derivatives of OKLab with respect to Y, Cb and Cr at each pixel: Y-Y, Y-Cb, Y-Cr, Cb-Cb,
  /// Cb-Cr, Cr-Cr.
  let metric: [SIMD8<Float>]

  /// The taps that enlarge a row or column of pixels to the finest parts.
  private static let taps = LinearTap.all(from: TinyJPEG.side, to: ScaleLayout.side)

  /// For each of the finest parts, the tap that interpolates between two pixels of the picture enlarged vertically.
  private static let partTaps = ScaleLayout.points.map { point in
    let first = point / ScaleLayout.side * TinyJPEG.side
    let tap = taps[point % ScaleLayout.side]
    return LinearTap(first: first + tap.first, second: first + tap.second, share: tap.share)
  }

  /// The weight of each part in the distance.
  private static let shares: [Parts] = [
    (ScaleLayout.fine, weights[1]), (ScaleLayout.medium, weights[2]),
    (ScaleLayout.coarse, weights[3]), (ScaleLayout.finest, weights[0]),
  ].flatMap { groups, weight in groups.map { ScaleLayout.shares[$0] * weight } }

  /// The matrix from cone roots to OKLab components, multiplied by ``tintWeights``.
  private static let mixing: Oklab.Columns = (
    Oklab.componentsOfRoots.0 * tintWeights, Oklab.componentsOfRoots.1 * tintWeights,
    Oklab.componentsOfRoots.2 * tintWeights
  )

  init(_ grid: PixelGrid) {
    let points = grid.points(width: ScaleLayout.side, height: ScaleLayout.side)
    let all = ScaleLayout.allAndFinest
    planes = PlaneStore(planeCount: 4, groupCount: all.count) { planes in
      planes[3].set(over: all) { Self.shares[$0] }
      let colors = planes.color(0)
      for group in ScaleLayout.finest {
        colors.set(group, to: points, finestGroup: group - ScaleLayout.finest.lowerBound)
      }
      Planes.withScratch(count: 3, groupCount: all.count) { scratch in
        Self.setComponents(colors, roots: scratch.color(0))
      }
    }
    pixels = grid.points(width: TinyJPEG.side, height: TinyJPEG.side).map {
      SRGB.encoded(ofLinear: $0.xyz)
    }
    metric = pixels.map(Self.metric)
  }

  private static func metric(ofEncoded color: SIMD3<Float>) -> SIMD8<Float> {
    let encoded = SIMD4(color, 0)
    let rates = FastOklab.derivatives(
      coneRoots: FastOklab.components(linear: FastOklab.light(ofEncoded: encoded).xyz).coneRoots,
      slope: FastOklab.lightRate(ofEncoded: encoded).xyz, minimumSquare: minimumRootSquare)
    let (red, green, blue) = (
      rates.red * tintWeights, rates.green * tintWeights, rates.blue * tintWeights
    )
    let luma = red + green + blue
    let cb = 1.772 * blue - 0.344_136 * green
    let cr = 1.402 * red - 0.714_136 * green
    return SIMD8(
      dot(luma, luma), dot(luma, cb), dot(luma, cr), dot(cb, cb), dot(cb, cr), dot(cr, cr), 0, 0)
  }

  /// Replaces the linear light of the finest parts with the OKLab components of all parts.
  @inline(__always)
  private static func setComponents(_ colors: MutableColorPlanes, roots: MutableColorPlanes) {
    colors.average(includingFinest: true)
    roots.set(coneRootsOf: colors, over: ScaleLayout.allAndFinest)
    colors.set(mixing: roots, by: mixing, over: ScaleLayout.allAndFinest)
  }

  /// Compares a picture with the image.
  ///
  /// - Parameters:
  ///   - picture: The encoded colors, in 0...1, of the 8×8 pixels, row-major.
  ///   - distanceLimit: The distance from which on no derivatives are needed.
  /// - Returns: The distance, and its derivatives with respect to the encoded color of each pixel; the fourth lane is the
  ///   importance of the pixel, the weighted sum of the inverse distances of its finest parts. The derivatives are empty
  ///   if the distance is not below the limit.
  func value(
    _ picture: [SIMD4<Float>], distanceLimit: Float = .infinity
  ) -> (distance: Float, slope: [SIMD4<Float>]) {
    let all = ScaleLayout.allAndFinest
    return planes.with { planes in
      Planes.withScratch(count: 13, groupCount: all.count) { scratch in
        let (color, roots, encoded) = (scratch.color(0), scratch.color(3), scratch.color(6))
        let (image, shares, inverse) = (planes.color(0), planes[3], scratch[9])
        Self.enlarge(picture, encoded)
        color.set(from: encoded, over: ScaleLayout.finest) { FastOklab.light(ofEncoded: $0) }
        Self.setComponents(color, roots: roots)
        var sum = Parts.zero
        color.set(from: color, image, over: all) { $0 - $1 }
        inverse.set(over: all) { group in
          let distance = FastOklab.squareRoots(
            color.dot(color, group) + Parts(repeating: Self.minimumSquare))
          sum += distance * shares[group]
          return shares[group] / distance
        }
        guard sum.sum() < distanceLimit else { return (sum.sum(), []) }
        color.set(from: color, over: all) { $0 * inverse[$1] }
        let slope = Self.slope(
          color, roots: roots, encoded: encoded, inverse: inverse, scratch.color(10))
        return (sum.sum(), slope)
      }
    }
  }

  /// Converts derivatives with respect to OKLab components to those with respect to the encoded colors of the pixels.
  private static func slope(
    _ color: MutableColorPlanes, roots: MutableColorPlanes, encoded: MutableColorPlanes,
    inverse: MutablePlane, _ scratch: MutableColorPlanes
  ) -> [SIMD4<Float>] {
    let all = ScaleLayout.allAndFinest
    let least = Parts(repeating: minimumRootSquare)
    scratch.set(mixing: color, by: Oklab.transposed(mixing), over: all)
    scratch.set(from: scratch, roots, over: all) { slope, root in
      let square = root * root
      return slope / (square.replacing(with: least, where: square .< least) * 3)
    }
    color.set(mixing: scratch, by: Oklab.transposed(Oklab.conesOfLight), over: all)
    for slope in [color.x, color.y, color.z] { ScaleLayout.distribute(slope) }
    color.set(from: color, encoded, over: ScaleLayout.finest) {
      $0 * FastOklab.lightRate(ofEncoded: $1)
    }
    return reduce(color, inverse)
  }

  /// Upscales the picture to the resolution of the finest parts, with bilinear interpolation.
  private static func enlarge(_ picture: [SIMD4<Float>], _ color: MutableColorPlanes) {
    let partTaps = Self.partTaps
    let tall = taps.flatMap { row in
      (0..<8).map { row.mix(picture[row.first * 8 + $0], picture[row.second * 8 + $0]) }
    }
    for group in ScaleLayout.finest {
      func point(_ lane: Int) -> SIMD4<Float> {
        let tap = partTaps[(group - ScaleLayout.finest.lowerBound) * 4 + lane]
        return tap.mix(tall[tap.first], tall[tap.second])
      }
      color.set(group, to: (point(0), point(1), point(2), point(3)))
    }
  }

  /// Sums the slopes of the finest parts for each pixel: the transpose of `enlarge`.
  private static func reduce(
    _ color: MutableColorPlanes, _ inverse: MutablePlane
  ) -> [SIMD4<Float>] {
    var tall = [SIMD4<Float>](repeating: .zero, count: 8 * ScaleLayout.side)
    for (index, tap) in partTaps.enumerated() {
      let part = ScaleLayout.finest.lowerBound * 4 + index
      let slope = SIMD4(
        color.x[part: part], color.y[part: part], color.z[part: part], inverse[part: part])
      tall[tap.first] += slope * (1 - tap.share)
      tall[tap.second] += slope * tap.share
    }
    var pixels = [SIMD4<Float>](repeating: .zero, count: 64)
    for (y, row) in taps.enumerated() {
      for x in 0..<8 {
        let slope = tall[y * 8 + x]
        pixels[row.first * 8 + x] += slope * (1 - row.share)
        pixels[row.second * 8 + x] += slope * row.share
      }
    }
    return pixels
  }
}
