import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct GridAccumulatorTests {
  private static let width = 150
  private static let height = 141

  private static func axis(_ length: Int) -> GridAxis {
    GridAxis(decodedLength: length, sourceLength: length, scale: 1)
  }

  private static func accumulator(
    _ layout: SampleLayout, width: Int = width, height: Int = height,
    matrix: ColorMatrix = .identity, over background: SRGBColor = .white
  ) -> GridAccumulator {
    GridAccumulator(
      columns: axis(width), rows: axis(height), layout: layout, curves: .sRGB, matrix: matrix,
      background: background)
  }

  private static func rows(_ layout: SampleLayout) -> [[UInt8]] {
    var random = LCG(seed: UInt64(layout.count))
    return (0..<height).map { _ in random.bytes(width * layout.count) }
  }

  /// The linear light of a pixel blended with a background.
  private static func light(
    of pixel: ArraySlice<UInt8>, _ layout: SampleLayout, over background: UInt8
  ) -> SIMD3<Double> {
    let samples = Array(pixel)
    let alpha = layout.hasAlpha ? Double(samples[layout.count - 1]) / 255 : 1
    let isGray = layout.count < 3
    let colors = (0..<3).map { channel in
      let blended =
        Double(samples[isGray ? 0 : channel]) * alpha + Double(background) * (1 - alpha)
      return IEC61966.linear(ofSample: UInt8(blended.rounded()))
    }
    return SIMD3(colors[0], colors[1], colors[2])
  }

  @Test func `creating an accumulator traps if the sums of a cell could overflow`() async {
    _ = Self.accumulator(.rgba, width: 127 << 20, height: 1)
    _ = Self.accumulator(.rgba, width: 65_535, height: 65_535)
    await #expect(processExitsWith: .failure) {
      _ = Self.accumulator(.rgba, width: 129 << 21, height: 1)
    }
  }

  @Test(arguments: [SampleLayout.grayAlpha, .rgba])
  func `a partial row equals a row that is transparent elsewhere`(layout: SampleLayout) {
    var random = LCG(seed: 28)
    var (partial, complete) = (Self.accumulator(layout), Self.accumulator(layout))
    for y in 0..<Self.height {
      let start = Int.random(in: 0...Self.width, using: &random)
      let range = start..<Int.random(in: start...Self.width, using: &random)
      let part = random.bytes(range.count * layout.count)
      partial.add(
        part, y: y, firstX: start, count: range.count, isTransparentElsewhere: true)
      let before = [UInt8](repeating: 0, count: start * layout.count)
      let after = [UInt8](repeating: 0, count: (Self.width - range.upperBound) * layout.count)
      complete.add(before + part + after, y: y)
    }
    let grids = (partial.finish(), complete.finish())
    #expect(grids.0 == grids.1)
  }

  @Test(arguments: [SampleLayout.gray, .grayAlpha, .rgb, .rgba])
  func `a cell is the mean light of its pixels, each blended with the background in encoded sRGB`(
    layout: SampleLayout
  ) throws {
    let rows = Self.rows(layout)
    let background = SRGBColor(red: 90, green: 90, blue: 90)
    var accumulator = Self.accumulator(layout, over: background)
    for (y, row) in rows.enumerated() { accumulator.add(row, y: y) }
    let finished = accumulator.finish()
    let grid = try #require(finished)
    for (row, rowExtent) in grid.rows.enumerated() {
      for (column, columnExtent) in grid.columns.enumerated() {
        var sum = SIMD3<Double>.zero
        for y in rowExtent {
          for x in columnExtent {
            let pixel = rows[y][x * layout.count..<(x + 1) * layout.count]
            sum += Self.light(of: pixel, layout, over: 90)
          }
        }
        let mean = sum / Double(rowExtent.count * columnExtent.count)
        let difference = SIMD3<Double>(grid.light[row * grid.columnCount + column].xyz) - mean
        #expect((difference * difference).sum() < 1e-11)
      }
    }
  }

  @Test(arguments: [SampleLayout.gray, .grayAlpha, .rgb, .rgba])
  func `interlaced passes and full rows produce the same grid`(layout: SampleLayout) {
    let rows = Self.rows(layout)
    var complete = Self.accumulator(layout)
    for (y, row) in rows.enumerated() { complete.add(row, y: y) }
    var interlaced = Self.accumulator(layout)
    // Each pass: first column, first row, column step, row step. Source: PNG, section 8.2.
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    for (firstX, firstY, stepX, stepY) in passes {
      for y in stride(from: firstY, to: Self.height, by: stepY) {
        let columns = Array(stride(from: firstX, to: Self.width, by: stepX))
        let row = columns.flatMap { rows[y][$0 * layout.count..<($0 + 1) * layout.count] }
        // A reader's row buffer is as long as the widest pass.
        let padding = Array(repeating: UInt8(99), count: Self.width * layout.count - row.count)
        interlaced.add(row + padding, y: y, firstX: firstX, step: stepX, count: columns.count)
      }
    }
    let (one, other) = (interlaced.finish(), complete.finish())
    #expect(one == other)
  }

  @Test(arguments: [SampleLayout.gray, .grayAlpha, .rgb, .rgba])
  func `black pixels have no light`(layout: SampleLayout) {
    let pixel = (0..<layout.count).map {
      UInt8(layout.hasAlpha && $0 == layout.count - 1 ? 255 : 0)
    }
    var accumulator = Self.accumulator(layout)
    for y in 0..<Self.height {
      accumulator.add(Array(repeatElement(pixel, count: Self.width).joined()), y: y)
    }
    let grid = accumulator.finish()
    #expect(grid?.cells.allSatisfy { $0 == .zero } == true)
  }

  @Test func `cells without pixels have the mean of the other cells`() {
    var accumulator = Self.accumulator(.gray, width: 2, height: 3)
    accumulator.add([0, 255], y: 0)
    let half = SIMD3<Float>(repeating: 0.5)
    let grid = accumulator.finish()
    #expect(grid?.cells == [.zero, .one, half, half, half, half])
  }

  @Test func `cells without pixels have the mean alpha of the other cells`() {
    var accumulator = Self.accumulator(.grayAlpha, width: 1, height: 3)
    accumulator.add([100, 51], y: 1)
    let alphas = accumulator.finish()?.alphas
    #expect(alphas == [0.2, 0.2, 0.2])
  }

  @Test func `an incomplete cell is the mean of its added pixels`() {
    var accumulator = Self.accumulator(.gray, width: 1, height: 255)
    for y in 0..<2 { accumulator.add([0], y: y) }
    accumulator.add([255], y: 2)
    let cells = accumulator.finish()?.cells
    #expect(cells?.count == 127)
    #expect(cells?.prefix(2) == [.zero, .one])
  }

  @Test func `an accumulator without rows returns no grid`() {
    var empty = Self.accumulator(.rgb)
    let grid = empty.finish()
    #expect(grid == nil)
  }

  @Test func `the color matrix is applied before blending with the background`() throws {
    let swap = ColorMatrix(red: [0, 0, 1], green: [0, 1, 0], blue: [1, 0, 0])
    var accumulator = Self.accumulator(
      .rgba, width: 1, height: 1, matrix: swap, over: SRGBColor(red: 0, green: 255, blue: 0))
    accumulator.add([255, 0, 0, 51], y: 0)
    let finished = accumulator.finish()
    let cell = try #require(finished?.light[0].xyz)
    #expect(abs(cell.x) < 1e-6)
    #expect(abs(cell.y - SRGB.linear[204]) < 1e-6)
    #expect(abs(cell.z - SRGB.linear[51]) < 1e-6)
  }

  @Test func `the color matrix is applied to cells of one pixel`() {
    let swap = ColorMatrix(red: [0, 0, 1], green: [0, 1, 0], blue: [1, 0, 0])
    var colored = Self.accumulator(.rgb, width: 2, height: 1, matrix: swap)
    colored.add([9, 20, 31, 42, 53, 64], y: 0)
    let light = SRGB.linear
    let colors = colored.finish()?.cells
    #expect(
      colors == [
        SIMD3(light[31], light[20], light[9]), SIMD3(light[64], light[53], light[42]),
      ])
    var gray = Self.accumulator(.gray, width: 2, height: 1)
    gray.add([9, 200], y: 0)
    let grays = gray.finish()?.cells
    #expect(grays == [SIMD3(repeating: light[9]), SIMD3(repeating: light[200])])
  }

  @Test func `adding a row of complete cells again traps`() async {
    await #expect(processExitsWith: .failure) {
      var accumulator = Self.accumulator(.gray, width: 2, height: 2)
      for _ in 0..<2 { accumulator.add([1, 2], y: 0) }
    }
  }

  @Test func `adding a short row traps`() async {
    await #expect(processExitsWith: .failure) {
      var accumulator = Self.accumulator(.rgb, width: 2, height: 1)
      accumulator.add([1, 2, 3, 4, 5], y: 0)
    }
  }

  @Test(arguments: [0, 1, 2, 70, 140])
  func `partial rows after full rows produce the same grid`(firstPartialRow: Int) {
    let rows = Self.rows(.rgb)
    var complete = Self.accumulator(.rgb)
    var partial = Self.accumulator(.rgb)
    for (y, row) in rows.enumerated() {
      complete.add(row, y: y)
      guard y >= firstPartialRow else {
        partial.add(row, y: y)
        continue
      }
      let right = Array(row[300...]) + Array(repeating: 7, count: 300)
      partial.add(row, y: y, firstX: 0, step: 1, count: 100)
      partial.add(right, y: y, firstX: 100, step: 1, count: 50)
    }
    let (one, other) = (partial.finish(), complete.finish())
    #expect(one == other)
  }

  @Test func `accumulating CMYK traps`() async {
    await #expect(processExitsWith: .failure) { _ = Self.accumulator(.cmyk) }
  }
}
