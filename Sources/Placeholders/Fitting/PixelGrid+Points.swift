extension PixelGrid {
  /// The light of equal points, row-major; the fourth lanes mean nothing.
  ///
  /// It is ``areaMeans(width:height:)`` at a fraction of its cost.
  ///
  /// - Parameters:
  ///   - width: Points across.
  ///   - height: Points down.
  /// - Returns: `width * height` colors.
  func points(width: Int, height: Int) -> [SIMD4<Float>] {
    let columnAxis = PointAxis(extents: columns, pointCount: width)
    let rowAxis = PointAxis(extents: rows, pointCount: height)
    var sums = Array(repeating: SIMD4<Float>.zero, count: columns.count)
    return unsafe [SIMD4<Float>](unsafeUninitializedCapacity: width * height) { points, count in
      for point in 0..<height {
        let run = rowAxis.runs[point]
        let shares = rowAxis.shares[rowAxis.firstShares[point]...]
        for column in sums.indices { sums[column] = .zero }
        // Three rows at a time; what is beyond the last one is that one again, without a share.
        for row in stride(from: run.lowerBound, to: run.upperBound, by: 3) {
          @inline(__always)
          func share(_ index: Int) -> SIMD4<Float> {
            row + index < run.upperBound
              ? SIMD4(repeating: shares[shares.startIndex + row + index - run.lowerBound]) : .zero
          }
          add(
            (row, min(row + 1, run.upperBound - 1), min(row + 2, run.upperBound - 1)),
            times: (share(0), share(1), share(2)), to: &sums)
        }
        unsafe set(
          UnsafeMutableBufferPointer(rebasing: points[count..<count + width]), to: sums,
          by: columnAxis)
        count += width
      }
    }
  }

  /// Computes the points of a row, from its sums by columns.
  private func set(
    _ points: UnsafeMutableBufferPointer<SIMD4<Float>>, to sums: [SIMD4<Float>], by axis: PointAxis
  ) {
    precondition(axis.runs.last?.upperBound == sums.count)
    unsafe sums.withUnsafeBufferPointer { sums in
      unsafe axis.shares.withUnsafeBufferPointer { shares in
        var share = 0
        for point in axis.runs.indices {
          let run = axis.runs[point]
          var sum = SIMD4<Float>.zero
          for column in run {
            unsafe sum += sums[column] * shares[share]
            share &+= 1
          }
          unsafe points.initializeElement(at: point, to: sum)
        }
      }
    }
  }

  /// Adds three rows of cells to sums.
  private func add(
    _ rows: (Int, Int, Int), times shares: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
    to sums: inout [SIMD4<Float>]
  ) {
    let width = columns.count
    precondition(sums.count == width && (rows.2 + 1) * width <= cells.count)
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
        guard let start = cells.baseAddress, let sums = sums.baseAddress else { return }
        let first = unsafe start + rows.0 * width * stride
        let second = unsafe start + rows.1 * width * stride
        let third = unsafe start + rows.2 * width * stride
        for column in 0..<width {
          let offset = column &* stride
          var sum = unsafe sums[column]
          unsafe sum += cell(first + offset) * shares.0
          unsafe sum += cell(second + offset) * shares.1
          unsafe sum += cell(third + offset) * shares.2
          unsafe sums[column] = sum
        }
      }
    }
  }
}
