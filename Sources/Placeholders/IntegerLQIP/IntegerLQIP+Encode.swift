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
