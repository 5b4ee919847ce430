internal import Placeholders

/// A builder of the grid of an image, which converts each row to sRGB if necessary and accumulates its pixels.
struct GridBuilder {
  private let converter: RowConverter
  private let width: Int
  private var accumulator: GridAccumulator
  private var texture: GridTexture?
  private var converted: [UInt8]

  /// The buffer for a decoded row, large enough for the widest row.
  var row: [UInt8]

  /// Creates a builder for rows of the given layout.
  init(_ layout: RowLayout, of header: ImageHeader, over background: SRGBColor) {
    let columns = GridAxis(
      decodedLength: layout.width, sourceLength: header.width, scale: layout.scale)
    let rows = GridAxis(
      decodedLength: layout.height, sourceLength: header.height, scale: layout.scale)
    let curves: TransferCurves
    let matrix: ColorMatrix
    let transform: ColorTransform?
    switch layout.profile {
    case .matrix(let own, let ownMatrix): (curves, matrix, transform) = (own, ownMatrix, nil)
    case .table(let own): (curves, matrix, transform) = (.sRGB, .identity, own)
    }
    converter = RowConverter(input: layout.samples, transform: transform)
    row = Array(repeating: 0, count: layout.width * layout.samples.count)
    converted = converter.isIdentity ? [] : row
    accumulator = GridAccumulator(
      columns: columns, rows: rows, layout: converter.output, curves: curves, matrix: matrix,
      background: background)
    texture = GridTexture(
      columns: columns, rows: rows, layout: converter.output, curves: curves, scale: layout.scale)
    width = layout.width
  }

  /// Adds the pixels in ``row`` at the given position.
  mutating func addRow(_ position: RowPosition) {
    if converter.isIdentity {
      add(row, position)
    } else {
      converter.convert(&row, into: &converted, pixelCount: position.count)
      add(converted, position)
    }
  }

  private mutating func add(_ row: [UInt8], _ position: RowPosition) {
    let (y, firstX, count) = (position.y, position.firstX, position.count)
    if position.step == 1 && firstX == 0 && count == width {
      accumulator.add(row, y: y)
      texture?.add(row, y: y)
    } else if position.isTransparentElsewhere {
      accumulator.add(row, y: y, to: firstX..<firstX + count)
    } else {
      accumulator.add(row, y: y, firstX: firstX, step: position.step, count: count)
    }
  }

  /// Returns the grid of all rows added so far; nil if no row was added.
  mutating func finish() -> PixelGrid? {
    accumulator.finish(with: texture)
  }
}
