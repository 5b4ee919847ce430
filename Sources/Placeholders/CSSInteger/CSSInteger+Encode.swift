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
///
/// The four points of a column form one group of a ``Plane``.
struct CSSIntegerObjective {
  private static let (width, height) = (6, 4)
  private static var columns: Range<Int> { 0..<width }

  /// The layer of each cell, level and column: `layers[(cell * 4 + level) * width + column]`.
  private static let layers: [CSSIntegerLayer] = CSSIntegerLayer.gradients.flatMap { gradient in
    (0..<4).flatMap { level in
      columns.map { column in
        var opacity = Parts.zero
        for row in 0..<height {
          opacity[row] = gradient.opacity(
            x: (Float(column) + 0.5) / Float(width), y: (Float(row) + 0.5) / Float(height))
        }
        return CSSIntegerLayer(level: level, opacity: opacity)
      }
    }
  }

  /// A copy of the static layers, because each access to a lazy static property takes time.
  private let layers = Self.layers

  /// The mean light of each of the six cells, in three columns and two rows.
  let cells: [SIMD3<Float>]

  /// The image in OKLab.
  private let planes: PlaneStore

  init(_ grid: PixelGrid) {
    let points = grid.points(width: Self.width, height: Self.height)
    cells = (0..<6).map { cell in
      let first = cell / 3 * 2 * Self.width + cell % 3 * 2
      let sum =
        points[first] + points[first + 1] + points[first + Self.width]
        + points[first + Self.width + 1]
      return (sum * 0.25).xyz
    }
    planes = PlaneStore(planeCount: 3, groupCount: Self.width) { planes in
      let color = planes.color(0)
      for column in Self.columns {
        let points4 = (0..<Self.height).map { clamped(points[$0 * Self.width + column], to: .one) }
        color.set(column, to: (points4[0], points4[1], points4[2], points4[3]))
      }
      color.convertToOklab(over: Self.columns)
    }
  }

  /// Whether no point has a visible tint.
  var isNeutral: Bool {
    planes.with { planes in
      let (y, z) = (planes[1], planes[2])
      return Self.columns.allSatisfy { (y[$0] * y[$0] + z[$0] * z[$0]).max() < 0.0004 }
    }
  }

  /// Levels and a base color, with the distance of their preview from the image.
  struct Preview {
    fileprivate(set) var levels: [Int]
    let base: CSSIntegerBase
    let distance: Float

    /// For each cell, the lightness of the preview minus that of the image, summed over all points and weighted by the
    /// cell's opacity.
    fileprivate let excesses: [Float]
  }

  /// Returns the preview reached by changing one level at a time until no such change reduces the distance.
  func descended(from start: Preview) -> Preview {
    var best = start
    var (cell, unchangedCount) = (0, 0)
    while unchangedCount < best.levels.count {
      unchangedCount += 1
      var levels = best.levels
      // A higher level never darkens a point, so raising a level helps only if the preview is too dark.
      levels[cell] += best.excesses[cell] > 0 ? -1 : 1
      if 0...3 ~= levels[cell] {
        let other = preview(levels, over: best.base)
        if other.distance < best.distance { (best, unchangedCount) = (other, 0) }
      }
      cell = (cell + 1) % levels.count
    }
    return best
  }

  /// Renders the preview of these levels over a base color, and measures its distance from the image.
  func preview(_ levels: [Int], over base: CSSIntegerBase) -> Preview {
    let encoded = base.encoded
    return planes.with { planes in
      MutablePlanes.withScratch(count: 6) { scratch in
        let (color, roots) = (scratch.color(0), scratch.color(3))
        unsafe layers.withUnsafeBufferPointer { layers in
          for column in Self.columns {
            var layer = CSSIntegerLayer()
            for cell in 0..<6 {
              let below = unsafe layers[(cell * 4 + levels[cell]) * Self.width + column]
              layer = layer.over(below)
            }
            color.x[column] = FastOklab.light(ofEncoded: layer.applied(to: encoded.x))
            color.y[column] = FastOklab.light(ofEncoded: layer.applied(to: encoded.y))
            color.z[column] = FastOklab.light(ofEncoded: layer.applied(to: encoded.z))
          }
        }
        roots.set(coneRootsOf: color, over: Self.columns)
        color.set(mixing: roots, by: Oklab.componentsOfRoots, over: Self.columns)
        color.set(color, minus: planes.color(0), over: Self.columns)
        var squares = Parts.zero
        for column in Self.columns { squares += color.dot(color, column) }
        let excesses = (0..<6).map { cell in
          var sum = Parts.zero
          for column in Self.columns {
            // The summand of the highest level is proportional to the opacity.
            sum += color.x[column] * layers[(cell * 4 + 3) * Self.width + column].summand
          }
          return sum.sum()
        }
        return Preview(levels: levels, base: base, distance: squares.sum(), excesses: excesses)
      }
    }
  }
}
