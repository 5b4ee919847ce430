internal import CImageCodecs

/// Turns the rows of one image into its grid: to sRGB where that is done by the pixel, then summed up.
struct GridBuilder {
  private let converter: RowConverter
  private let matrix: ColorMatrix
  private let background: SRGBColor
  private let scale: Int
  private let pixelsPerCell: Float
  private var accumulator: GridAccumulator
  private var converted: [UInt8]

  /// A row to decode into, long enough for the widest one.
  var row: [UInt8]

  /// Prepares for rows of an image that is decoded at 1/`scale` of its size.
  init(
    decoded: lqip_header, source: lqip_header, scale: Int, layout: SampleLayout,
    isInverted: Bool, missing: SIMD3<Float>, profile: ColorProfile, background: SRGBColor
  ) {
    let columns = GridAxis(
      decodedLength: Int(decoded.width), sourceLength: Int(source.width), scale: scale)
    let rows = GridAxis(
      decodedLength: Int(decoded.height), sourceLength: Int(source.height), scale: scale)
    let curves: TransferCurves
    switch profile {
    case .matrix(let ownCurves, let ownMatrix):
      converter = RowConverter(input: layout, isInverted: isInverted, transform: nil)
      (curves, matrix) = (ownCurves, ownMatrix)
    case .table(let transform):
      converter = RowConverter(input: layout, isInverted: isInverted, transform: transform)
      (curves, matrix) = (.sRGB, .identity)
    }
    self.background = background
    row = Array(repeating: 0, count: Int(decoded.width) * layout.count)
    converted = converter.isIdentity ? [] : row
    accumulator = GridAccumulator(
      columns: columns, rows: rows, layout: converter.output,
      curves: curves.compensated(for: missing))
    self.scale = scale
    pixelsPerCell = columns.pixelsPerCell * rows.pixelsPerCell
  }

  /// Adds the decoded row.
  mutating func addRow(y: Int) {
    let pixelCount = row.count / converter.input.count
    if converter.isIdentity {
      accumulator.add(row, y: y)
    } else {
      converter.convert(&row, into: &converted, pixelCount: pixelCount)
      accumulator.add(converted, y: y)
    }
  }

  /// Adds a row of a pass of an interlaced image, which has every `step`th pixel from `firstX` on.
  mutating func addRow(y: Int, firstX: Int, step: Int, count: Int) {
    if converter.isIdentity {
      accumulator.add(row, y: y, firstX: firstX, step: step, count: count)
    } else {
      converter.convert(&row, into: &converted, pixelCount: count)
      accumulator.add(converted, y: y, firstX: firstX, step: step, count: count)
    }
  }

  /// The grid of all that was added; nil if there was no row at all.
  func grid() -> PixelGrid? {
    let grid = accumulator.grid(matrix: matrix, background: background)
    // With more pixels a cell, the light that scaling loses is too little to be seen.
    let needsCompensation = scale > 1 && pixelsPerCell < 4
    return needsCompensation ? grid?.compensatedForScaling(pixelsPerCell: pixelsPerCell) : grid
  }
}
