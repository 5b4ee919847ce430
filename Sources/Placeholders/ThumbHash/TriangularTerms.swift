/// Which terms of a cosine transform a ThumbHash keeps: a triangle, without the average.
struct TriangularTerms {
  /// Terms along the first row and column, the average among them.
  let x: Int
  let y: Int

  /// Those of either difference of colors.
  static let color = TriangularTerms(x: 3, y: 3)
  /// Those of transparency.
  static let alpha = TriangularTerms(x: 5, y: 5)

  /// How many times each term goes up and down along either axis, in their order.
  var frequencies: [(x: Int, y: Int)] {
    (0..<y).flatMap { row in
      (0..<x).filter { $0 * y < x * (y - row) && $0 + row > 0 }.map { ($0, row) }
    }
  }

  var count: Int { frequencies.count }
}
