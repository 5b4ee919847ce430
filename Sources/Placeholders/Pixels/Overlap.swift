/// Where a cell of one division of a length meets a part of another.
struct Overlap: Sendable, Hashable {
  let cell: Int
  let part: Int

  /// How much of the part it is; the shares of a part add up to 1.
  let share: Float

  /// All meetings, in order, of some cells with as many equal parts as told.
  static func all(between cells: [Range<Int>], andPartsCount count: Int) -> [Overlap] {
    let partLength = Double(cells.last?.upperBound ?? 0) / Double(count)
    var overlaps: [Overlap] = []
    var part = 0
    for (cell, extent) in cells.enumerated() {
      while part < count {
        let lower = max(Double(extent.lowerBound), Double(part) * partLength)
        let upper = min(Double(extent.upperBound), Double(part + 1) * partLength)
        if upper > lower {
          let share = Float((upper - lower) / partLength)
          overlaps.append(Overlap(cell: cell, part: part, share: share))
        }
        if Double(part + 1) * partLength > Double(extent.upperBound) { break }
        part += 1
      }
    }
    return overlaps
  }
}
