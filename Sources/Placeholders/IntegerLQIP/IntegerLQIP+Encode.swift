extension IntegerLQIP {
  /// Encodes colors as the article's script does.
  ///
  /// - Parameters:
  ///   - base: The image's dominant color.
  ///   - cells: The mean colors of three columns and two rows of the image, row-major.
  /// - Precondition: There are six cells.
  public init(base: SRGBColor, cells: [SRGBColor]) {
    precondition(cells.count == 6, "there are three columns and two rows")
    let base = IntegerLQIPBase.nearest(to: Oklab(linear: base.linear))
    self.init(levels: Self.levels(cells.map { Oklab(linear: $0.linear) }, over: base), base: base)
  }

  /// The levels that the script takes for six colors.
  private static func levels(_ cells: [Oklab], over base: IntegerLQIPBase) -> [Int] {
    cells.map { cell in
      let light = 0.5 + cell.components.x - base.color.components.x
      return Int((max(0, min(1, light)) * 3 + 0.5).rounded(.down))
    }
  }

  /// Chooses the integer whose preview comes closest to an image in OKLab.
  ///
  /// The script's own choice is among those that are compared, so none is worse. Gray stays gray.
  ///
  /// - Parameter grid: The image.
  /// - Complexity: O(cells).
  public init(fitting grid: PixelGrid) {
    let objective = IntegerLQIPObjective(grid)
    let light = objective.cells
    let average = Oklab(linear: light.reduce(.zero, +) / Float(light.count))
    let cells = light.map { Oklab(linear: $0) }
    let chosen = objective.isNeutral ? [] : [IntegerLQIPBase.nearest(to: average)]
    let near = Self.bases(near: average, isNeutral: objective.isNeutral)
    let best = Planes.withScratch(count: IntegerLQIPObjective.scratchCount) { scratch in
      let starts = (chosen + near.filter { !chosen.contains($0) }).map { base in
        let levels = Self.levels(cells, over: base)
        return (
          levels: levels, base: base, distance: objective.distance(of: levels, over: base, scratch)
        )
      }.sorted { $0.distance < $1.distance }
      let fits = starts.prefix(Self.descentCount).map {
        objective.descend(from: $0.levels, over: $0.base, scratch)
      }
      return fits.min { $0.distance < $1.distance } ?? fits[0]
    }
    self.init(levels: best.levels, base: best.base)
  }

  /// How many of the best starts are improved; further ones hardly ever end below them.
  private static let descentCount = 4

  /// The eight base colors nearest to a color, the nearest first.
  private static func bases(near color: Oklab, isNeutral: Bool) -> [IntegerLQIPBase] {
    // The bits of a squared distance, which are in its order, and then the index.
    var nearest = Array(repeating: UInt64.max, count: 8)
    for base in IntegerLQIPBase.all where !isNeutral || base.isGray {
      let offset = base.color.components - color.components
      var entry = UInt64(dot(offset, offset).bitPattern) << 8 | UInt64(base.index)
      guard entry < nearest[7] else { continue }
      for place in nearest.indices where entry < nearest[place] {
        swap(&entry, &nearest[place])
      }
    }
    return nearest.filter { $0 < .max }.map { IntegerLQIPBase.all[Int($0 & 255)] }
  }
}

/// How far previews of integers are from an image: the mean squared distance in OKLab.
///
/// Four points are a column, and a group of a ``Plane``.
struct IntegerLQIPObjective {
  private static let (width, height) = (6, 4)
  private static var columns: Range<Int> { 0..<width }

  /// What a cell does at a column, as in ``IntegerLQIPLayer``.
  private struct Layer {
    let factor: Parts
    let summand: Parts
  }

  /// The layers of each cell at each level, for one column after the other.
  private static let layers: [Layer] = (0..<6).flatMap { cell in
    (0..<4).flatMap { level in
      columns.map { column in
        var opacity = Parts.zero
        for row in 0..<height {
          opacity[row] = IntegerLQIPLayer.gradients[cell].opacity(
            x: (Float(column) + 0.5) / Float(width), y: (Float(row) + 0.5) / Float(height))
        }
        let light = Float(level) * 0.4 - 0.6
        return Layer(factor: 1 - opacity * abs(light), summand: opacity * max(0, light))
      }
    }
  }

  /// The levels of the cells; the last two lanes mean nothing.
  private typealias Levels = SIMD8<Int>

  /// Looked up once, as that takes time.
  private let layers = Self.layers

  /// The light of the image at each point, row-major.
  private let light: [SIMD4<Float>]

  /// The same in OKLab: the first three planes.
  private let planes: PlaneStore

  init(_ grid: PixelGrid) {
    let points = grid.points(width: Self.width, height: Self.height)
    light = points
    planes = PlaneStore(planeCount: 6) { planes in
      let (color, roots) = (planes.color(0), planes.color(3))
      for (index, point) in points.enumerated() {
        let (row, column) = index.quotientAndRemainder(dividingBy: Self.width)
        let light = clamped(point, to: .one)
        color.x[column][row] = light.x
        color.y[column][row] = light.y
        color.z[column][row] = light.z
      }
      roots.set(coneRootsOf: color, over: Self.columns)
      color.set(mixing: roots, by: Oklab.componentsOfRoots, over: Self.columns)
    }
  }

  /// The image's mean light over each cell of three columns and two rows.
  var cells: [SIMD3<Float>] {
    (0..<6).map { cell in
      let first = cell / 3 * 2 * Self.width + cell % 3 * 2
      let sum =
        light[first] + light[first + 1] + light[first + Self.width] + light[first + Self.width + 1]
      return (sum * 0.25).xyz
    }
  }

  /// Whether no point has a color that is seen.
  var isNeutral: Bool {
    planes.with { planes in
      let (y, z) = (planes[1], planes[2])
      return Self.columns.allSatisfy { (y[$0] * y[$0] + z[$0] * z[$0]).max() < 0.0004 }
    }
  }

  /// The planes that a comparison takes, and those of what it is compared with.
  static let scratchCount = 8

  /// Changes one level after the other as long as that helps.
  func descend(
    from levels: [Int], over base: IntegerLQIPBase, _ scratch: MutablePlanes
  ) -> (levels: [Int], base: IntegerLQIPBase, distance: Float) {
    let color = base.encoded
    var best = Self.lanes(levels)
    let kept = IntegerLQIPComparison(squares: scratch[6], excess: scratch[7])
    kept.copy(compare(best, over: color, at: Self.columns, scratch), at: Self.columns)
    var (cell, unchangedCount) = (0, 0)
    while unchangedCount < levels.count {
      unchangedCount += 1
      let columns = Self.columns(reachedBy: cell)
      var other = best
      // As a higher level makes no point darker, it can only help where a preview is too dark.
      other[cell] += excess(in: kept, under: cell, at: columns) > 0 ? -1 : 1
      if 0...3 ~= other[cell] {
        let comparison = compare(other, over: color, at: columns, scratch)
        if comparison.distance(at: columns) < kept.distance(at: columns) {
          kept.copy(comparison, at: columns)
          best = other
          unchangedCount = 0
        }
      }
      cell = (cell + 1) % levels.count
    }
    return (levels.indices.map { best[$0] }, base, kept.distance(at: Self.columns))
  }

  /// The distance of a preview.
  func distance(of levels: [Int], over base: IntegerLQIPBase, _ scratch: MutablePlanes) -> Float {
    compare(Self.lanes(levels), over: base.encoded, at: Self.columns, scratch)
      .distance(at: Self.columns)
  }

  private static func lanes(_ levels: [Int]) -> Levels {
    var lanes = Levels.zero
    for (cell, level) in levels.enumerated() { lanes[cell] = level }
    return lanes
  }

  /// The columns where a cell is not transparent: it has two, and reaches as many on each side.
  private static func columns(reachedBy cell: Int) -> Range<Int> {
    let first = cell % 3 * 2
    return max(0, first - 2)..<min(width, first + 4)
  }

  /// How much lighter than the image a preview is, by the opacity of a cell.
  @inline(__always)
  private func excess(
    in preview: IntegerLQIPComparison, under cell: Int, at columns: Range<Int>
  ) -> Float {
    unsafe layers.withUnsafeBufferPointer { layers in
      var sum = Parts.zero
      for column in columns {
        // What the highest level adds is in proportion to the opacity.
        sum += unsafe preview.excess[column] * layers[(cell * 4 + 3) * Self.width + column].summand
      }
      return sum.sum()
    }
  }

  /// Compares a preview with the image at some columns, in the first six planes.
  private func compare(
    _ levels: Levels, over base: SIMD3<Float>, at columns: Range<Int>, _ scratch: MutablePlanes
  ) -> IntegerLQIPComparison {
    planes.with { planes in
      let (color, roots) = (scratch.color(0), scratch.color(3))
      let (factor, summand) = (roots.x, roots.y)
      setLayers(factor, summand, levels, at: columns)
      @inline(__always)
      func setLight(_ plane: MutablePlane, _ base: Float) {
        plane.set(over: columns) {
          // None is below zero.
          let encoded = factor[$0] * base + summand[$0]
          return FastOklab.light(
            ofEncoded: encoded.replacing(with: Parts.one, where: encoded .> Parts.one))
        }
      }
      setLight(color.x, base.x)
      setLight(color.y, base.y)
      setLight(color.z, base.z)
      roots.set(coneRootsOf: color, over: columns)
      color.set(mixing: roots, by: Oklab.componentsOfRoots, over: columns)
      color.set(color, minus: planes.color(0), over: columns)
      roots.x.set(over: columns) { color.dot(color, $0) }
      return IntegerLQIPComparison(squares: roots.x, excess: color.x)
    }
  }

  /// Sets what all cells together do to the base.
  @inline(__always)
  private func setLayers(
    _ factor: MutablePlane, _ summand: MutablePlane, _ levels: Levels, at columns: Range<Int>
  ) {
    unsafe layers.withUnsafeBufferPointer { layers in
      for column in columns {
        var (product, sum) = (Parts.one, Parts.zero)
        for cell in 0..<6 {
          let layer = unsafe layers[(cell &* 4 &+ levels[cell]) &* Self.width &+ column]
          sum += product * layer.summand
          product *= layer.factor
        }
        factor[column] = product
        summand[column] = sum
      }
    }
  }
}

/// How a preview differs from an image at each point.
struct IntegerLQIPComparison {
  /// The squared distances in OKLab.
  let squares: MutablePlane

  /// How much lighter the preview is, in OKLab.
  let excess: MutablePlane

  /// Takes what another knows of some columns.
  @inline(__always)
  func copy(_ other: IntegerLQIPComparison, at columns: Range<Int>) {
    squares.set(over: columns) { other.squares[$0] }
    excess.set(over: columns) { other.excess[$0] }
  }

  /// The sum of the squared distances.
  @inline(__always)
  func distance(at columns: Range<Int>) -> Float {
    var sum = Parts.zero
    for column in columns { sum += squares[column] }
    return sum.sum()
  }
}
