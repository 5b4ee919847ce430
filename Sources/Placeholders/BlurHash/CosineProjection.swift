/// The cosines along one axis, for each component and position.
struct CosineBasis {
  /// The cosines as `values[component][position]`.
  let values: [[Float]]

  /// Samples the cosines at each pixel, with the C reference's rounding to single precision.
  init(componentCount: Int, length: Int) {
    self.init(componentCount: componentCount, bounds: Array(0...length))
  }

  /// Sums the cosines over the pixels of each cell.
  ///
  /// Projecting a cell then equals projecting its pixels, each with the mean color of the cell. By Lagrange's
  /// identity, `Σ cos(θx)` over the n pixels from a to a + n - 1 is `sin(nθ/2) / sin(θ/2) · cos(θ(a + (n-1)/2))`.
  /// `bounds` contains the index of the first pixel of each cell, then the number of pixels.
  init(componentCount: Int, bounds: [Int]) {
    let cells = 0..<bounds.count - 1
    let length = Double(bounds[cells.count])
    values = (0..<componentCount).map { component in
      if component == 0 { return cells.map { Float(bounds[$0 + 1] - bounds[$0]) } }
      let frequency = Double.pi * Double(component)
      let step = frequency / length
      // The amplitude depends only on the length of the cell, which is the same for most cells.
      var (count, amplitude) = (1.0, 1.0)
      return cells.map { cell in
        let (first, cellLength) = (Double(bounds[cell]), bounds[cell + 1] - bounds[cell])
        if cellLength == 1 {
          return Float(PortableMath.cosine(Double(Float(frequency * first / length))))
        }
        if Double(cellLength) != count {
          count = Double(cellLength)
          amplitude = PortableMath.sine(count * step / 2) / PortableMath.sine(step / 2)
        }
        return Float(amplitude * PortableMath.cosine(step * (first + (count - 1) / 2)))
      }
    }
  }
}

/// The projection of an image onto each cosine term, accumulated row by row.
///
/// Sums have single precision and add pixels in the order of the C reference, because both affect the digits of the
/// hash. Each vector holds the sums of four terms.
struct CosineProjection {
  /// The red, green and blue sums of four terms, one lane per term.
  private struct TermSums {
    var red = SIMD4<Float>.zero
    var green = SIMD4<Float>.zero
    var blue = SIMD4<Float>.zero

    @inline(__always)
    mutating func add(_ color: SIMD4<Float>, times cosines: SIMD4<Float>) {
      red += cosines * color.x
      green += cosines * color.y
      blue += cosines * color.z
    }
  }

  private let columnTermCount: Int
  private let termCount: Int
  private let width: Int

  /// The horizontal cosines of each group of four terms: `columns[group * width + x]`.
  private let columns: [SIMD4<Float>]

  /// The vertical cosines of each group of four terms: `rows[y * groupCount + group]`.
  private let rows: [SIMD4<Float>]

  /// The sums of each group of four terms; lanes after the last term stay zero.
  private var sums: [TermSums]

  /// Creates an empty projection onto the products of the column and row cosines.
  init(columns: CosineBasis, rows: CosineBasis) {
    columnTermCount = columns.values.count
    termCount = columns.values.count * rows.values.count
    width = columns.values[0].count
    let height = rows.values[0].count
    let groupCount = (termCount + 3) / 4
    var columnCosines = Array(repeating: SIMD4<Float>.zero, count: groupCount * width)
    var rowCosines = Array(repeating: SIMD4<Float>.zero, count: groupCount * height)
    for term in 0..<termCount {
      let (row, column) = term.quotientAndRemainder(dividingBy: columnTermCount)
      let (group, lane) = term.quotientAndRemainder(dividingBy: 4)
      for x in 0..<width { columnCosines[group * width + x][lane] = columns.values[column][x] }
      for y in 0..<height { rowCosines[y * groupCount + group][lane] = rows.values[row][y] }
    }
    self.columns = columnCosines
    self.rows = rowCosines
    sums = Array(repeating: TermSums(), count: groupCount)
  }

  /// Adds a row of linear colors, one per position of the column basis.
  mutating func add(_ colors: ArraySlice<SIMD4<Float>>, y: Int) {
    precondition(colors.count == width, "expected one color per position")
    unsafe colors.withUnsafeBufferPointer { colors in
      unsafe columns.withUnsafeBufferPointer { columns in
        let firstRow = y * sums.count
        // Three groups share the loop over the colors: the 12 terms of 4x3 components need only one loop.
        let tripleEnd = sums.count - sums.count % 3
        for group in stride(from: 0, to: tripleEnd, by: 3) {
          var (first, second, third) = (sums[group], sums[group + 1], sums[group + 2])
          let row = (rows[firstRow + group], rows[firstRow + group + 1], rows[firstRow + group + 2])
          let start = group * width
          for x in 0..<colors.count {
            let color = unsafe colors[x]
            unsafe first.add(color, times: columns[start &+ x] * row.0)
            unsafe second.add(color, times: columns[start &+ width &+ x] * row.1)
            unsafe third.add(color, times: columns[start &+ 2 &* width &+ x] * row.2)
          }
          (sums[group], sums[group + 1], sums[group + 2]) = (first, second, third)
        }
        for group in tripleEnd..<sums.count {
          var sum = sums[group]
          let row = rows[firstRow + group]
          let start = group * width
          for x in 0..<colors.count {
            unsafe sum.add(colors[x], times: columns[start &+ x] * row)
          }
          sums[group] = sum
        }
      }
    }
  }

  /// Returns the terms of the image, the average color first.
  func terms(pixelCount: Int) -> [SIMD3<Float>] {
    (0..<termCount).map { term in
      let sum = sums[term / 4]
      let color = SIMD3(sum.red[term % 4], sum.green[term % 4], sum.blue[term % 4])
      return color * ((term == 0 ? 1 : 2) / Float(pixelCount))
    }
  }
}
