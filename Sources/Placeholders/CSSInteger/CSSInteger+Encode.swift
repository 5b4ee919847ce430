extension CSSInteger {
  /// Returns the levels that the script in Lean Rada's article would choose for six cells, given their mean colors.
  static func levels(_ cells: [Oklab], over base: CSSIntegerBase) -> [Int] {
    cells.map { cell in
      let light = 0.5 + cell.components.x - base.color.components.x
      return Int((max(0, min(1, light)) * 3 + 0.5).rounded(.down))
    }
  }

  /// Encodes an image by searching for the integer whose preview is closest to it in OKLab.
  ///
  /// For an image that looks gray, only gray base colors are candidates. For any other image, the integer chosen by the
  /// script in Lean Rada's article is a candidate, so its preview is never closer to the image than that of the result.
  ///
  /// - Parameter grid: The image.
  /// - Complexity: O(cells).
  public init(encoding grid: PixelGrid) {
    // Descents from more candidates rarely find a smaller distance.
    let descentCount = 4
    let objective = CSSIntegerObjective(grid)
    let cells = objective.cells
    let average = Oklab(linear: cells.reduce(.zero, +) / Float(cells.count))
    let colors = cells.map { Oklab(linear: $0) }
    let chosen = objective.isNeutral ? [] : [CSSIntegerBase.nearest(to: average)]
    let near = Self.bases(near: average, isNeutral: objective.isNeutral)
    let fits = (chosen + near.filter { !chosen.contains($0) })
      .map { objective.preview(Self.levels(colors, over: $0), over: $0) }
      .sorted { $0.distance < $1.distance }
      .prefix(descentCount)
      .map { objective.descended(from: $0) }
    let best = fits.min { $0.distance < $1.distance } ?? fits[0]
    self.init(levels: best.levels, base: best.base)
  }

  /// Returns the eight base colors nearest to a color, or all four grays if the image is neutral, nearest first.
  private static func bases(near color: Oklab, isNeutral: Bool) -> [CSSIntegerBase] {
    CSSIntegerBase.all.filter { !isNeutral || $0.isGray }
      .map { base in
        let offset = base.color.components - color.components
        return (base: base, square: dot(offset, offset))
      }
      .sorted { ($0.square, $0.base.index) < ($1.square, $1.base.index) }
      .prefix(8).map { $0.base }
  }
}

/// The distance of previews from an image: the sum of squared distances in OKLab at 6×4 points.
struct CSSIntegerObjective {
  private static let (width, height) = (6, 4)

  /// The opacity of each cell's gradient at each point: `opacities[point * 6 + cell]`.
  private static let opacities: [Float] = (0..<width * height).flatMap { point in
    CSSIntegerLayer.gradients.map {
      $0.opacity(
        x: (Float(point % width) + 0.5) / Float(width),
        y: (Float(point / width) + 0.5) / Float(height))
    }
  }

  /// The mean light of each of the six cells, in three columns and two rows.
  let cells: [SIMD3<Float>]
  /// The image at each point, in OKLab.
  private let image: [SIMD3<Float>]

  init(_ grid: PixelGrid) {
    let points = grid.points(width: Self.width, height: Self.height)
    cells = (0..<6).map { cell in
      let first = cell / 3 * 2 * Self.width + cell % 3 * 2
      let sum =
        points[first] + points[first + 1] + points[first + Self.width]
        + points[first + Self.width + 1]
      return (sum * 0.25).xyz
    }
    image = points.map { FastOklab.components(linear: clamped($0, to: .one).xyz).components }
  }

  /// Whether no point has a visible tint.
  var isNeutral: Bool { image.allSatisfy { $0.y * $0.y + $0.z * $0.z < 0.0004 } }

  /// Levels and a base color, with the distance of their preview from the image.
  struct Preview {
    let levels: [Int]
    let base: CSSIntegerBase
    let distance: Float
  }

  /// Returns the preview reached by changing one level at a time until no such change reduces the distance.
  func descended(from start: Preview) -> Preview {
    var best = start
    var (cell, unchangedCount) = (0, 0)
    while unchangedCount < 6 {
      unchangedCount += 1
      for step in [-1, 1] where 0...3 ~= best.levels[cell] + step {
        var levels = best.levels
        levels[cell] += step
        let other = preview(levels, over: best.base)
        if other.distance < best.distance { (best, unchangedCount) = (other, 0) }
      }
      cell = (cell + 1) % 6
    }
    return best
  }

  /// Renders the preview of these levels over a base color, and measures its distance from the image.
  func preview(_ levels: [Int], over base: CSSIntegerBase) -> Preview {
    let background = SIMD4(base.encoded, 0)
    let lights = levels.map { CSSIntegerLayer.light(level: $0) }
    let opacities = Self.opacities
    var distance: Float = 0
    for point in image.indices {
      var color = background
      for cell in (0..<6).reversed() {
        let light = lights[cell] * opacities[point * 6 + cell]
        color = color * (1 - abs(light)) + max(0, light)
      }
      let linear = FastOklab.light(ofEncoded: color).xyz
      let difference = FastOklab.components(linear: linear).components - image[point]
      distance += dot(difference, difference)
    }
    return Preview(levels: levels, base: base, distance: distance)
  }
}
