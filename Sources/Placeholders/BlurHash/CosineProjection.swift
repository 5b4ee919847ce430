/// The products of an image with each cosine term, summed row by row.
///
/// Sums are of single precision and run in the reference's order, since its text depends on that; those
/// of four terms run side by side.
struct CosineProjection {
  /// The sums of four terms of a row of terms.
  private struct Sums {
    var red = SIMD4<Float>.zero
    var green = SIMD4<Float>.zero
    var blue = SIMD4<Float>.zero
  }

  private let componentCount: Int

  /// For each group of four columns of terms: their cosines at each position.
  private let columns: [[SIMD4<Float>]]
  private let rows: CosineBasis

  /// For each row of terms: its groups.
  private var sums: [[Sums]]

  /// Starts at zero.
  init(columns: CosineBasis, rows: CosineBasis) {
    componentCount = columns.values.count
    self.columns = stride(from: 0, to: componentCount, by: 4).map { first in
      columns.values[first].indices.map { position in
        var cosines = SIMD4<Float>.zero
        for column in first..<min(first + 4, columns.values.count) {
          cosines[column - first] = columns.values[column][position]
        }
        return cosines
      }
    }
    self.rows = rows
    let row = Array(repeating: Sums(), count: self.columns.count)
    sums = Array(repeating: row, count: rows.values.count)
  }

  /// Adds a row of linear colors, one a position of the basis.
  mutating func add(_ colors: ArraySlice<SIMD3<Float>>, y: Int) {
    for (row, cosines) in rows.values.enumerated() {
      let rowCosine = cosines[y]
      for (group, cosines) in columns.enumerated() {
        var sum = sums[row][group]
        for (cosine, color) in zip(cosines, colors) {
          let basis = cosine * rowCosine
          sum.red += basis * color.x
          sum.green += basis * color.y
          sum.blue += basis * color.z
        }
        sums[row][group] = sum
      }
    }
  }

  /// The terms of the image, the average color first.
  func terms(pixelCount: Int) -> [SIMD3<Float>] {
    sums.flatMap { groups in
      (0..<componentCount).map { column in
        let sum = groups[column / 4]
        let lane = column % 4
        return SIMD3(sum.red[lane], sum.green[lane], sum.blue[lane])
      }
    }
    .enumerated().map { term, sum in sum * ((term == 0 ? 1 : 2) / Float(pixelCount)) }
  }
}
