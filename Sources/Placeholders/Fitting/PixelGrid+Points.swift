extension PixelGrid {
  /// The image in 24×24 cells: all that the CSS placeholders and the palette are made of.
  ///
  /// It is its own thumbnail, so that several of them can share it.
  package var thumbnail: PixelGrid { squared(side: Self.thumbnailSide) }

  /// Cells of a thumbnail across and down.
  static let thumbnailSide = 24

  /// The same image in as many cells across as down, as if it were a square of so many pixels.
  func squared(side: Int) -> PixelGrid {
    if isOpaque && hasPixelCells && columns.count == side && rows.count == side { return self }
    let extents = (0..<side).map { $0..<$0 + 1 }
    return PixelGrid(
      columns: extents, rows: extents,
      cells: points(width: side, height: side).map { $0.xyz })
  }

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
    // A run of columns may end before its last share, which is zero then.
    let room = columns.count + PointAxis.longestRun - 1
    var sums = Array(repeating: SIMD4<Float>.zero, count: room)
    return unsafe [SIMD4<Float>](unsafeUninitializedCapacity: width * height) { points, count in
      for point in 0..<height {
        let first = rowAxis.firstRuns[point]
        set(&sums, to: rowAxis.runs[first], adds: false)
        for run in first + 1..<rowAxis.firstRuns[point + 1] {
          set(&sums, to: rowAxis.runs[run], adds: true)
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
    precondition(axis.firstRuns.count == points.count + 1)
    precondition((axis.runs.last?.cell ?? 0) + PointAxis.longestRun <= sums.count)
    let mask = fourthLaneMask
    unsafe sums.withUnsafeBufferPointer { sums in
      unsafe axis.runs.withUnsafeBufferPointer { runs in
        unsafe axis.firstRuns.withUnsafeBufferPointer { firstRuns in
          @inline(__always)
          func part(_ run: Int, _ place: Int) -> SIMD4<Float> {
            unsafe cleared(sums[runs[run].cell &+ place], mask) * runs[run].share(place)
          }
          var run = 0
          for point in 0..<points.count {
            let end = unsafe firstRuns[point &+ 1]
            var sum = part(run, 0) + part(run, 1) + part(run, 2) + part(run, 3)
            run &+= 1
            while run < end {
              sum = sum + part(run, 0) + part(run, 1) + part(run, 2) + part(run, 3)
              run &+= 1
            }
            unsafe points.initializeElement(at: point, to: sum)
          }
        }
      }
    }
  }

  /// Makes sums those of some rows of cells, or adds these to them.
  private func set(_ sums: inout [SIMD4<Float>], to run: PointAxis.Run, adds: Bool) {
    let width = columns.count
    precondition(sums.count >= width && (run.cell + run.count) * width <= cells.count)
    let mask = fourthLaneMask
    unsafe cells.withFourLanes { cells in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        guard let cells = cells.baseAddress, let sums = sums.baseAddress else { return }
        let first = unsafe cells + run.cell * width
        @inline(__always)
        func cell(_ row: Int, _ column: Int) -> SIMD4<Float> {
          let cell = unsafe first[row &* width &+ column]
          return cleared(cell, mask) * run.share(row)
        }
        // In the order of the rows, however many they are.
        @inline(__always)
        func setAll(rowCount: Int) {
          for column in 0..<width {
            var sum = unsafe adds ? sums[column] : .zero
            sum += cell(0, column)
            if rowCount > 1 { sum += cell(1, column) }
            if rowCount > 2 { sum += cell(2, column) }
            if rowCount > 3 { sum += cell(3, column) }
            unsafe sums[column] = sum
          }
        }
        switch run.count {
        case 1: setAll(rowCount: 1)
        case 2: setAll(rowCount: 2)
        case 3: setAll(rowCount: 3)
        default: setAll(rowCount: 4)
        }
      }
    }
  }

  /// What ``cleared(_:_:)`` keeps.
  ///
  /// The fourth lane holds no color; it is cleared because subnormal numbers are slow. The mask is computed
  /// at run time, since the compiler would turn a constant one back into slow three-lane loads.
  private var fourthLaneMask: SIMD4<UInt32> {
    let none = UInt32(truncatingIfNeeded: columns.count >> 32)
    return SIMD4(~none, ~none, ~none, none)
  }

  @inline(__always)
  private func cleared(_ color: SIMD4<Float>, _ mask: SIMD4<UInt32>) -> SIMD4<Float> {
    let bits = unsafe unsafeBitCast(color, to: SIMD4<UInt32>.self) & mask
    return unsafe unsafeBitCast(bits, to: SIMD4<Float>.self)
  }
}
