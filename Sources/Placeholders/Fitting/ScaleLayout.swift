/// The positions of an image's parts, at three or four scales and in groups of four.
///
/// The scales have 12×12 fine, 6×6 medium and 3×3 coarse parts. The fit of a tiny JPEG adds 24×24 finest parts. The
/// four children of a part occupy the same lane in four groups, and the mean of these groups is a group of parents. The
/// exception is the last coarse part, whose children are the lanes of one group. The last coarse group has three unused
/// lanes.
enum ScaleLayout {
  /// The number of finest parts per side.
  static let side = 24

  /// The groups of each scale.
  @inline(__always) static var fine: Range<Int> { 0..<36 }
  @inline(__always) static var medium: Range<Int> { 36..<45 }
  @inline(__always) static var coarse: Range<Int> { 45..<48 }
  @inline(__always) static var finest: Range<Int> { 48..<192 }
  @inline(__always) static var mediumAndCoarse: Range<Int> { 36..<48 }

  /// The groups of all scales except the finest.
  @inline(__always) static var all: Range<Int> { 0..<48 }
  @inline(__always) static var allAndFinest: Range<Int> { 0..<192 }

  /// A part of the image, in units of finest parts.
  struct Part {
    let column: Int
    let row: Int

    /// The number of finest parts per side.
    let size: Int

    /// Returns a quarter of the part: upper left, upper right, lower left and lower right for the indices 0 to 3.
    fileprivate func quarter(_ index: Int) -> Part {
      Part(column: column + index % 2 * size / 2, row: row + index / 2 * size / 2, size: size / 2)
    }
  }

  /// Returns the part in a lane of a group; nil for an unused lane.
  static func part(group: Int, lane: Int) -> Part? {
    func quarter(_ index: Int, of parents: Range<Int>) -> Part? {
      let (quarter, parent) = index.quotientAndRemainder(dividingBy: parents.count)
      return part(group: parents.lowerBound + parent, lane: lane)?.quarter(quarter)
    }
    if finest.contains(group) { return quarter(group - finest.lowerBound, of: fine) }
    if fine.contains(group) { return quarter(group - fine.lowerBound, of: medium) }
    let index = group - (group < coarse.lowerBound ? medium : coarse).lowerBound
    if coarse.contains(group) { return coarsePart(index * 4 + lane) }
    return index < 8
      ? coarsePart(index / 4 * 4 + lane)?.quarter(index % 4) : coarsePart(8)?.quarter(lane)
  }

  private static func coarsePart(_ index: Int) -> Part? {
    index < 9 ? Part(column: index % 3 * 8, row: index / 3 * 8, size: 8) : nil
  }

  /// The weight of each part in the mean of its scale, for all groups; 0 for unused lanes.
  static let shares: [Parts] = allAndFinest.map { group in
    var shares = Parts.zero
    for lane in 0..<4 {
      guard let part = part(group: group, lane: lane) else { continue }
      shares[lane] = 1 / Float(side / part.size * (side / part.size))
    }
    return shares
  }

  /// The row-major index of each finest part among 24×24 points.
  static let points: [Int] = (0..<side * side).compactMap { index in
    part(group: finest.lowerBound + index / 4, lane: index % 4).map { $0.row * side + $0.column }
  }

  /// Sets the medium and coarse parts to the means of the fine parts, which are first set to the means of the finest
  /// parts if these are included.
  @inline(__always)
  static func average(_ plane: MutablePlane, includingFinest: Bool) {
    @inline(__always)
    func mean(_ first: Int, _ step: Int) -> Parts {
      (plane[first] + plane[first + step] + plane[first + 2 * step] + plane[first + 3 * step])
        * 0.25
    }
    if includingFinest {
      plane.set(over: fine) { mean(finest.lowerBound + $0, fine.count) }
    }
    plane.set(over: medium) { mean($0 - medium.lowerBound, medium.count) }
    for group in 0..<2 {
      plane[coarse.lowerBound + group] = mean(medium.lowerBound + group * 4, 1)
    }
    plane[coarse.upperBound - 1] = Parts(plane[medium.upperBound - 1].sum() * 0.25, 0, 0, 0)
  }

  /// Adds the slopes of all parts to those of the finest parts they contain: the transpose of ``average``.
  @inline(__always)
  static func distribute(_ plane: MutablePlane) {
    @inline(__always)
    func add(_ slope: Parts, to first: Int, _ step: Int) {
      for child in 0..<4 { plane[first + child * step] += slope * 0.25 }
    }
    plane[medium.upperBound - 1] += Parts(repeating: plane[coarse.upperBound - 1].x * 0.25)
    for group in 0..<2 {
      add(plane[coarse.lowerBound + group], to: medium.lowerBound + group * 4, 1)
    }
    for group in medium { add(plane[group], to: group - medium.lowerBound, medium.count) }
    for group in fine { add(plane[group], to: finest.lowerBound + group, fine.count) }
  }
}
