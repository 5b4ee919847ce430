/// An image prepared for a fit, in OKLab and at four scales.
///
/// The finest points are not compared one by one. The mean distance between a color and the points of a part is about
/// `sqrt(|color - mean|² + variance)`; the root mean square is exactly this value.
struct ScaledImage: Sendable {
  /// The planes of ``View``, in order.
  let planes: PlaneStore

  /// The figure; nil if the image has no figure on a plain ground.
  let figure: Figure?

  /// Approximations of the colors of ``LQIP/Method/corners``: the means of fine parts, in encoded sRGB.
  let corners: [SIMD3<Float>]

  /// Averages an image over points, and over the parts of each scale.
  init(_ grid: PixelGrid) {
    let points = grid.points(width: ScaleLayout.side, height: ScaleLayout.side)
    var corners = Array(repeating: SIMD3<Float>.zero, count: 3)
    planes = PlaneStore(planeCount: 8) { planes in
      let image = View(planes)
      image.shares.set { ScaleLayout.shares[$0] }
      Planes.withScratch(count: 9) { scratch in
        let (point, roots, light) = (scratch.color(0), scratch.color(3), scratch.color(6))
        for plane in 0..<9 { scratch[plane].set { _ in .zero } }
        for quarter in 0..<4 {
          for group in ScaleLayout.fine {
            point.set(group, to: points, finestGroup: quarter * ScaleLayout.fine.count + group)
          }
          light.set(from: light, point) { $0 + $1 * 0.25 }
          roots.set(coneRootsOf: point, over: ScaleLayout.fine)
          point.set(mixing: roots, by: Oklab.componentsOfRoots, over: ScaleLayout.fine)
          image.pointColors.set(from: image.pointColors, point) { $0 + $1 * 0.25 }
          image.variances.set(over: ScaleLayout.fine) {
            image.variances[$0] + 0.25 * point.dot(point, $0)
          }
        }
        let encoded = point
        encoded.set(from: light, over: ScaleLayout.fine) {
          Parts(SRGBEncoder.shared.samples(of: $0))
        }
        encoded.average()
        // The first lanes of the coarse groups are the first, fifth and ninth coarse parts.
        corners = ScaleLayout.coarse.map { encoded[$0, 0] / 255 }
        light.average()
        roots.set(coneRootsOf: light)
        image.colors.set(mixing: roots, by: Oklab.componentsOfRoots)
      }
      image.variances.set(over: ScaleLayout.fine) { group in
        let variance = image.variances[group] - image.pointColors.dot(image.pointColors, group)
        return variance.replacing(with: Parts.zero, where: variance .< Parts.zero)
      }
    }
    self.corners = corners
    figure = planes.with { Figure(in: View($0).colors) }
  }

  /// Whether the image has a single color: no fine part differs visibly from the first.
  var hasSingleColor: Bool {
    planes.with { planes in
      let colors = View(planes).colors
      return ScaleLayout.fine.allSatisfy {
        colors.squaredDistance(from: colors[0, 0], $0).max() <= 0.0001
      }
    }
  }

  /// Whether the image looks gray: its mean chroma is negligible, and no part has a visible tint.
  var isNeutral: Bool {
    planes.with { planes in
      let image = View(planes)
      var (mean, largest) = (Parts.zero, Parts.zero)
      for group in ScaleLayout.all {
        let (y, z) = (image.colors.y[group], image.colors.z[group])
        let chroma = (y * y + z * z).squareRoot()
        if ScaleLayout.fine.contains(group) { mean += chroma * image.shares[group] }
        let seen = chroma.replacing(with: Parts.zero, where: image.shares[group] .== Parts.zero)
        largest = pointwiseMax(largest, seen)
      }
      return mean.sum() <= 0.005 && largest.max() <= 0.02
    }
  }

  struct View<Access> {
    /// The OKLab color of each part's mean light.
    let colors: ColorPlanes<Access>

    /// The mean OKLab color of the points in each fine part.
    let pointColors: ColorPlanes<Access>

    /// The variance of the OKLab colors of the points in each fine part.
    let variances: Plane<Access>

    /// The weight of each part in the mean of its scale; 0 for unused lanes.
    let shares: Plane<Access>

    init(_ planes: Planes<Access>) {
      colors = planes.color(0)
      pointColors = planes.color(3)
      variances = planes[6]
      shares = planes[7]
    }

    /// Returns the distance between a picture and the image.
    ///
    /// - Parameters:
    ///   - light: The nonnegative light of the picture on each fine part; overwritten with its OKLab colors.
    ///   - roots: Scratch memory.
    ///   - figure: The figure to show, and the wanted share of its contrast; nil if the image has no figure.
    ///   - finestWeight: The weight of the finest scale in the sum.
    /// - Returns: The distance at four scales.
    @inline(__always)
    func distance(
      ofLight light: MutableColorPlanes, roots: MutableColorPlanes,
      figure: (figure: Figure, contrast: Float)?,
      finestWeight: Float
    ) -> ScaledDistance {
      light.average()
      roots.set(coneRootsOf: light)
      light.set(mixing: roots, by: Oklab.componentsOfRoots)
      let (square, pointSquare) = (roots.x, roots.y)
      square.set { light.squaredDistance(from: colors, $0) }
      pointSquare.set(over: ScaleLayout.fine) {
        light.squaredDistance(from: pointColors, $0) + variances[$0]
      }
      return ScaledDistance(
        means: SIMD4(
          mean(pointSquare, ScaleLayout.fine), mean(square, ScaleLayout.fine),
          mean(square, ScaleLayout.medium), mean(square, ScaleLayout.coarse)),
        meanSquares: SIMD4(
          pointSquare.dot(shares, over: ScaleLayout.fine),
          square.dot(shares, over: ScaleLayout.fine),
          square.dot(shares, over: ScaleLayout.medium),
          square.dot(shares, over: ScaleLayout.coarse)),
        figureLoss: figure.map { $0.figure.loss(in: light, wanted: $0.contrast) } ?? 0,
        finestWeight: finestWeight)
    }

    @inline(__always)
    private func mean(_ squares: MutablePlane, _ groups: Range<Int>) -> Float {
      var sum = Parts.zero
      for group in groups { sum += FastOklab.squareRoots(squares[group]) * shares[group] }
      return sum.sum()
    }
  }
}
