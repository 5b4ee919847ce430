/// An image prepared for a fit, in OKLab and at four scales.
///
/// The finest points are not compared one by one. The mean distance between a color and the points of a part is about
/// `sqrt(|color - mean|² + variance)`; the root mean square is exactly this value.
struct ScaledImage: Sendable {
  /// The planes of ``View``, in order.
  let planes: PlaneStore

  /// The number of planes.
  static let planeCount = 8

  /// The figure; nil if the image has no figure on a plain ground.
  let figure: Figure?

  /// Approximations of the colors of ``LQIP/Method/corners``: the means of fine parts, in encoded sRGB.
  let corners: [SIMD3<Float>]

  /// The number of points per side, as in a thumbnail.
  private static let pointSide = 2 * ScaleLayout.side

  /// The index of the first point of each part in the fine groups.
  private static let firstPoints: [Int] = (0..<ScaleLayout.fine.count * 4).map { place in
    let part = ScaleLayout.part(group: place / 4, lane: place % 4)
    return part.map { ($0.row * pointSide + $0.column) * 2 } ?? 0
  }

  /// The weight of each part in the mean of its scale; 0 for unused lanes.
  private static let shares: [Parts] = ScaleLayout.all.map { group in
    var shares = Parts.zero
    for lane in 0..<4 {
      guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
      let side = ScaleLayout.side / part.size
      shares[lane] = 1 / Float(side * side)
    }
    return shares
  }

  /// Averages an image over points, and over the parts of each scale.
  init(_ grid: PixelGrid) {
    let points = grid.points(width: Self.pointSide, height: Self.pointSide)
    var corners = Array(repeating: SIMD3<Float>.zero, count: 3)
    planes = PlaneStore(planeCount: Self.planeCount) { planes in
      let image = View(planes)
      image.shares.set { Self.shares[$0] }
      Planes.withScratch(count: 9) { scratch in
        let (point, roots, light) = (scratch.color(0), scratch.color(3), scratch.color(6))
        for plane in 0..<9 { scratch[plane].set { _ in .zero } }
        for offset in [0, 1, Self.pointSide, Self.pointSide + 1] {
          Self.gather(points, offset: offset, into: point)
          light.add(point, times: 0.25)
          roots.set(coneRootsOf: point, over: ScaleLayout.fine)
          point.set(mixing: roots, by: Oklab.componentsOfRoots, over: ScaleLayout.fine)
          image.pointColors.add(point, times: 0.25)
          image.variances.set(over: ScaleLayout.fine) {
            image.variances[$0] + 0.25 * point.dot(point, $0)
          }
        }
        corners = [0, 4, 8].map { Self.encodedMean(of: light, coarsePart: $0) }
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

  /// Returns the mean of encoded light over the fine parts of a coarse part, in 0...1.
  private static func encodedMean(of light: MutableColorPlanes, coarsePart: Int) -> SIMD3<Float> {
    let medium = coarsePart / 4 * 4
    var sum = SIMD3<Float>.zero
    for quarter in 0..<4 {
      let first = quarter * ScaleLayout.medium.count + medium
      let places =
        coarsePart < 8
        ? (0..<4).map { (first + $0, coarsePart % 4) } : (0..<4).map { (first, $0) }
      for (group, lane) in places {
        sum += SIMD3(SRGBEncoder.shared.samples(ofLinear: light[group, lane]))
      }
    }
    return sum / (16 * 255)
  }

  /// Copies one of the four points of each fine part; `offset` selects the point.
  private static func gather(_ points: [SIMD4<Float>], offset: Int, into planes: MutableColorPlanes)
  {
    for group in ScaleLayout.fine {
      let first = points[firstPoints[group * 4] + offset]
      let second = points[firstPoints[group * 4 + 1] + offset]
      let third = points[firstPoints[group * 4 + 2] + offset]
      let fourth = points[firstPoints[group * 4 + 3] + offset]
      planes.set(group, to: (first, second, third, fourth))
    }
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
}

extension ScaledImage {
  /// The planes of a ``ScaledImage``.
  struct View<Access> {
    /// The OKLab color of each part's mean light.
    let colors: ColorPlanes<Access>

    /// The mean OKLab color of the points in each fine part.
    let pointColors: ColorPlanes<Access>

    /// The variance of the OKLab colors of the points in each fine part.
    let variances: Plane<Access>

    /// The weight of each part in the mean of its scale; 0 for unused lanes.
    let shares: Plane<Access>

    /// Creates a view of the first eight planes.
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
    ///   - roots: Scratch memory of three planes.
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

/// The positions of an image's parts, at three scales and in groups of four.
///
/// The scales have 12×12 fine, 6×6 medium and 3×3 coarse parts. The four fine parts of a medium part occupy the same
/// lane in four groups, and the mean of these groups is a group of medium parts. The same holds for the medium parts of
/// the first eight coarse parts. The last group has three unused lanes.
enum ScaleLayout {
  /// The number of fine parts per side.
  static let side = 12

  /// The groups of each scale.
  @inline(__always) static var fine: Range<Int> { 0..<36 }
  @inline(__always) static var medium: Range<Int> { 36..<45 }
  @inline(__always) static var coarse: Range<Int> { 45..<48 }
  @inline(__always) static var mediumAndCoarse: Range<Int> { 36..<48 }
  @inline(__always) static var all: Range<Int> { 0..<48 }

  /// A part of the image, in units of fine parts.
  struct Part {
    let column: Int
    let row: Int

    /// The number of fine parts per side.
    let size: Int
  }

  /// Returns the part in a lane of a group; nil for an unused lane.
  static func part(group: Int, lane: Int) -> Part? {
    if group >= coarse.lowerBound { return coarse((group - coarse.lowerBound) * 4 + lane) }
    if group >= medium.lowerBound { return medium(group - medium.lowerBound, lane) }
    let (quarter, mediumGroup) = group.quotientAndRemainder(dividingBy: medium.count)
    return medium(mediumGroup, lane)?.quarter(quarter)
  }

  private static func medium(_ group: Int, _ lane: Int) -> Part? {
    group < 8 ? coarse(group / 4 * 4 + lane)?.quarter(group % 4) : coarse(8)?.quarter(lane)
  }

  private static func coarse(_ index: Int) -> Part? {
    index < 9 ? Part(column: index % 3 * 4, row: index / 3 * 4, size: 4) : nil
  }

  /// Sets the medium and coarse parts to the means of the fine parts.
  @inline(__always)
  static func average(_ plane: MutablePlane) {
    for group in 0..<medium.count {
      plane[medium.lowerBound + group] =
        (plane[group] + plane[medium.count + group] + plane[2 * medium.count + group]
          + plane[3 * medium.count + group]) * 0.25
    }
    for group in 0..<2 {
      let first = medium.lowerBound + group * 4
      plane[coarse.lowerBound + group] =
        (plane[first] + plane[first + 1] + plane[first + 2] + plane[first + 3]) * 0.25
    }
    let mean = plane[coarse.lowerBound - 1].sum() * 0.25
    plane[coarse.lowerBound + 2] = Parts(mean, 0, 0, 0)
  }
}

extension ScaleLayout.Part {
  /// Returns a quarter of the part: upper left, upper right, lower left and lower right for the indices 0 to 3.
  fileprivate func quarter(_ index: Int) -> ScaleLayout.Part {
    ScaleLayout.Part(
      column: column + index % 2 * size / 2, row: row + index / 2 * size / 2, size: size / 2)
  }
}
