/// The layout of an image's parts in groups of four; the parts are the cells of four grids, one per scale.
///
/// The scales have 24×24 fine parts, then 12×12, 6×6 and 3×3 coarser parts. The four children of a part occupy the same
/// lane in four groups, and the mean of these groups is a group of parents. The exception is the 6×6 scale, where the
/// four children of a part form one group.
enum TinyLayout {
  /// The number of fine parts per side.
  static let side = 24

  static let groupCount = 192

  /// The groups of each scale: 24, 12, 6 and 3 parts per side.
  @inline(__always) static var fine: Range<Int> { 0..<144 }
  @inline(__always) static var twelfths: Range<Int> { 144..<180 }
  @inline(__always) static var sixths: Range<Int> { 180..<189 }
  @inline(__always) static var thirds: Range<Int> { 189..<192 }
  @inline(__always) static var coarser: Range<Int> { 144..<192 }
  @inline(__always) static var all: Range<Int> { 0..<192 }

  /// The column and row of each fine part.
  static let positions: [(x: Int, y: Int)] = (0..<side * side).map { part in
    let (quarter, twelfth) = (part / 4).quotientAndRemainder(dividingBy: twelfths.count)
    let (half, sixth) = twelfth.quotientAndRemainder(dividingBy: sixths.count)
    let lane = part % 4
    let x = ((sixth % 3 * 2 + lane % 2) * 2 + half % 2) * 2 + quarter % 2
    let y = ((sixth / 3 * 2 + lane / 2) * 2 + half / 2) * 2 + quarter / 2
    return (x, y)
  }

  /// Sets the coarser parts to the means of the fine parts.
  @inline(__always)
  static func average(_ plane: MutablePlane) {
    for (children, parents) in [(fine, twelfths), (twelfths, sixths)] {
      for group in 0..<parents.count {
        let first = children.lowerBound + group
        let sum =
          plane[first] + plane[first + parents.count] + plane[first + 2 * parents.count]
          + plane[first + 3 * parents.count]
        plane[parents.lowerBound + group] = sum * 0.25
      }
    }
    for group in 0..<thirds.count {
      var means = Parts.zero
      for lane in 0..<4 where group * 4 + lane < sixths.count {
        means[lane] = plane[sixths.lowerBound + group * 4 + lane].sum() * 0.25
      }
      plane[thirds.lowerBound + group] = means
    }
  }

  /// Adds the slopes of coarser parts to those of the fine parts: the transpose of ``average(_:)``.
  @inline(__always)
  static func distribute(_ plane: MutablePlane) {
    for part in 0..<sixths.count {
      let slope = plane[part: thirds.lowerBound * 4 + part]
      plane[sixths.lowerBound + part] += Parts(repeating: slope * 0.25)
    }
    for (children, parents) in [(twelfths, sixths), (fine, twelfths)] {
      for group in 0..<parents.count {
        let slope = plane[parents.lowerBound + group] * 0.25
        for quarter in 0..<4 {
          plane[children.lowerBound + quarter * parents.count + group] += slope
        }
      }
    }
  }
}
