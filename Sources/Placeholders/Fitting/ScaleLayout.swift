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
  static func average(_ plane: Plane) {
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
