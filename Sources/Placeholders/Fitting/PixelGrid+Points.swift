extension PixelGrid {
  /// The light of a square of equal points, row-major; the fourth lanes mean nothing.
  ///
  /// It is ``areaMeans(width:height:)`` at a fraction of its cost.
  func points(side: Int) -> [SIMD4<Float>] {
    let columnAxis = PointAxis(extents: columns, pointCount: side)
    let rowAxis = PointAxis(extents: rows, pointCount: side)
    var points: [SIMD4<Float>] = []
    points.reserveCapacity(side * side)
    var sums = Array(repeating: SIMD4<Float>.zero, count: columns.count)
    for point in 0..<side {
      let run = rowAxis.runs[point]
      let shares = rowAxis.shares[rowAxis.firstShares[point]...]
      for column in sums.indices { sums[column] = .zero }
      // Two rows at a time; of an odd count the last one is the second of a pair without a share.
      for row in stride(from: run.lowerBound, to: run.upperBound, by: 2) {
        let first = shares.startIndex + row - run.lowerBound
        let isPair = row + 1 < run.upperBound
        add(
          row, times: shares[first], and: isPair ? row + 1 : row,
          times: isPair ? shares[first + 1] : 0, to: &sums)
      }
      for (run, first) in zip(columnAxis.runs, columnAxis.firstShares) {
        var sum = SIMD4<Float>.zero
        for column in run {
          sum += sums[column] * columnAxis.shares[first + column - run.lowerBound]
        }
        points.append(sum)
      }
    }
    return points
  }

  /// Adds two rows of cells to sums.
  private func add(
    _ row: Int, times share: Float, and otherRow: Int, times otherShare: Float,
    to sums: inout [SIMD4<Float>]
  ) {
    let width = columns.count
    precondition(sums.count == width && (max(row, otherRow) + 1) * width <= cells.count)
    // A color of three numbers lies in the room of four, but to load just three is slow. What lies in
    // the fourth has no meaning, and is cleared, as the smallest of numbers are slow, too. That it is
    // always cleared the compiler must not know, or it goes back to three.
    let none = UInt32(truncatingIfNeeded: width >> 32)
    let mask = SIMD4<UInt32>(~none, ~none, ~none, none)
    @inline(__always)
    func cell(_ pointer: UnsafeRawPointer) -> SIMD4<Float> {
      let bits = unsafe pointer.load(as: SIMD4<UInt32>.self) & mask
      return unsafe unsafeBitCast(bits, to: SIMD4<Float>.self)
    }
    unsafe cells.withUnsafeBytes { cells in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        let stride = MemoryLayout<SIMD3<Float>>.stride
        guard var next = cells.baseAddress, let sums = sums.baseAddress else { return }
        unsafe next += row * width * stride
        let distance = (otherRow - row) * width * stride
        for column in 0..<width {
          unsafe sums[column] += unsafe cell(next) * share + cell(next + distance) * otherShare
          unsafe next += stride
        }
      }
    }
  }
}
