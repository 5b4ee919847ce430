/// How a preview differs from an image at each point.
struct IntegerLQIPComparison {
  /// The squared distances in OKLab.
  let squares: Plane

  /// How much lighter the preview is, in OKLab.
  let excess: Plane

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
