extension PackedLQIP {
  /// Chooses three colors for an image.
  ///
  /// - Parameters:
  ///   - grid: The image, in linear light.
  ///   - encoding: How to choose.
  /// - Complexity: O(cells).
  public init(encoding grid: PixelGrid, by encoding: LQIPEncoding = .fitted) {
    switch encoding {
    case .corners: self.init(corners: grid)
    case .fitted: self = LQIPFit(grid).three()
    }
  }

  /// Chooses the second value of the variant with six colors: those that best go over three others.
  ///
  /// Nil where the three alone are closer to the image.
  ///
  /// - Parameters:
  ///   - grid: The image, in linear light.
  ///   - first: The colors below.
  /// - Complexity: O(cells).
  public init?(encoding grid: PixelGrid, over first: PackedLQIP) {
    guard let second = LQIPFit(grid).second(over: first) else { return nil }
    self = second
  }

  /// Takes means of encoded light, as the canvas of a browser does.
  private init(corners grid: PixelGrid) {
    let columns = Overlap.all(between: grid.columns, andPartsCount: 3)
    let rows = Overlap.all(between: grid.rows, andPartsCount: 3)
    self.init(
      rounding: (0..<3).map { part in
        var mean = SIMD3<Float>.zero
        for row in rows where row.part == part {
          for column in columns where column.part == part {
            let cell = grid.cells[row.cell * grid.columns.count + column.cell]
            let samples = SIMD3<Float>(SRGBEncoder.shared.samples(ofLinear: cell))
            mean += row.share * column.share * samples
          }
        }
        return mean / 255
      })
  }
}
