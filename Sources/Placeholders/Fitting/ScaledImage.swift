/// An image as a fit sees it: in OKLab, at four scales.
///
/// Its finest points are not compared one by one: the distance of a color from the points of a part is on
/// average about `sqrt(|color - mean|² + variance)`, and for squares exactly that.
struct ScaledImage: Sendable {
  /// The planes of ``View``, one behind the other.
  let planes: PlaneStore

  /// How many they are.
  static let planeCount = 8

  /// The figure, if the image is one on a plain ground.
  let figure: Figure?

  /// About the colors that ``LQIP.Method/corners`` takes: means of the encoded fine parts.
  let corners: [SIMD3<Float>]

  /// Points across and down: the sides of a thumbnail.
  private static let pointSide = 2 * ScaleLayout.side

  /// For each place in the fine groups: the first of its points.
  private static let firstPoints: [Int] = (0..<ScaleLayout.fine.count * 4).map { place in
    let part = ScaleLayout.part(group: place / 4, lane: place % 4)
    return part.map { ($0.row * pointSide + $0.column) * 2 } ?? 0
  }

  /// What each part of a scale counts in its mean, and nothing where a group has none.
  private static let shares: [Parts] = ScaleLayout.all.map { group in
    var shares = Parts.zero
    for lane in 0..<4 {
      guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
      let side = ScaleLayout.side / part.size
      shares[lane] = 1 / Float(side * side)
    }
    return shares
  }

  /// Averages an image.
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

  /// The mean of encoded light over the fine parts of a coarse one, which have its place in their groups.
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

  /// Takes one of the four points of each fine part.
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

  /// Whether the image is of one color: no part differs from another so much that it is seen.
  var isPlain: Bool {
    planes.with { planes in
      let colors = View(planes).colors
      return ScaleLayout.fine.allSatisfy {
        colors.squaredDistance(from: colors[0, 0], $0).max() <= 0.0001
      }
    }
  }

  /// Whether the image looks gray: hardly any color on average, and no part with a color that is seen.
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
  /// The planes of an image.
  struct View<Access> {
    /// The color of each part's mean light.
    let colors: ColorPlanes<Access>

    /// The mean of the colors of each fine part's points.
    let pointColors: ColorPlanes<Access>

    /// The variance of these colors.
    let variances: Plane<Access>

    /// What each part of a scale counts in its mean, and nothing where a group has none.
    let shares: Plane<Access>

    /// Takes them from the first plane on.
    init(_ planes: Planes<Access>) {
      colors = planes.color(0)
      pointColors = planes.color(3)
      variances = planes[6]
      shares = planes[7]
    }

    /// How far a picture is.
    ///
    /// - Parameters:
    ///   - light: The picture's light on each fine part, not below zero; it becomes its color.
    ///   - roots: Room for three planes.
    ///   - figure: The figure that is to be kept, and how much of its contrast.
    ///   - finestCount: How many times the finest scale counts.
    /// - Returns: Its distance at four scales.
    @inline(__always)
    func distance(
      ofLight light: MutableColorPlanes, roots: MutableColorPlanes,
      figure: (figure: Figure, contrast: Float)?,
      finestCount: Float
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
        finestCount: finestCount)
    }

    @inline(__always)
    private func mean(_ squares: MutablePlane, _ groups: Range<Int>) -> Float {
      var sum = Parts.zero
      for group in groups { sum += FastOklab.squareRoots(squares[group]) * shares[group] }
      return sum.sum()
    }
  }
}

/// Where the parts of an image at three scales lie in groups of four.
///
/// There are 12×12 fine parts, 6×6 medium ones and 3×3 coarse ones. The four fine parts of a medium one
/// have the same place in four groups, so that the mean of these is a group of medium parts; and so have
/// the medium parts of the first eight coarse ones. Three places of the last group are left over.
enum ScaleLayout {
  /// Fine parts across and down.
  static let side = 12

  /// The groups of each scale.
  @inline(__always) static var fine: Range<Int> { 0..<36 }
  @inline(__always) static var medium: Range<Int> { 36..<45 }
  @inline(__always) static var coarse: Range<Int> { 45..<48 }
  @inline(__always) static var mediumAndCoarse: Range<Int> { 36..<48 }
  @inline(__always) static var all: Range<Int> { 0..<48 }

  /// One part of the image, in units of fine parts.
  struct Part {
    let column: Int
    let row: Int

    /// Fine parts across and down.
    let size: Int
  }

  /// The part at a place in a group; nil where that is left over.
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

  /// Fills in the medium and coarse parts with the means of the fine ones.
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
  /// The upper left, upper right, lower left or lower right quarter.
  fileprivate func quarter(_ index: Int) -> ScaleLayout.Part {
    ScaleLayout.Part(
      column: column + index % 2 * size / 2, row: row + index / 2 * size / 2, size: size / 2)
  }
}
