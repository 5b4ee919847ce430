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
    let cells = grid.areaMeans(width: 3, height: 2).map { Oklab(linear: $0) }
    let average = Oklab(linear: grid.average)
    let bases = IntegerLQIPBase.all.filter { !objective.isNeutral || $0.isGray }
    let nearest =
      bases
      .map { (base: $0, distance: $0.color.distance(to: average)) }
      .sorted { $0.distance < $1.distance }
      .prefix(8).map { $0.base }
    let chosen = objective.isNeutral ? [] : [IntegerLQIPBase.nearest(to: average)]
    let fits = (chosen + nearest).map { base in
      objective.descend(from: Self.levels(cells, over: base), over: base)
    }
    let best = fits.min { $0.distance < $1.distance } ?? fits[0]
    self.init(levels: best.levels, base: best.base)
  }
}
