internal import Placeholders

/// Builds the grid of an image from its rows: converts pixels to sRGB if necessary, then accumulates them.
struct GridBuilder {
  private let converter: RowConverter
  private let width: Int
  private var accumulator: GridAccumulator
  private var texture: GridTexture?
  private var converted: [UInt8]

  /// The buffer for a decoded row, large enough for the widest row.
  var row: [UInt8]

  /// Prepares for the rows of an image.
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

  /// Adds the pixels of ``row``.
  mutating func addRow(_ place: RowPlace) {
    if converter.isIdentity {
      add(row, place)
    } else {
      converter.convert(&row, into: &converted, pixelCount: place.count)
      add(converted, place)
    }
  }

  private mutating func add(_ row: [UInt8], _ place: RowPlace) {
    if place.step == 1 && place.firstX == 0 && place.count == width {
      accumulator.add(row, y: place.y)
      texture?.add(row, y: place.y)
    } else if place.isClearElsewhere {
      accumulator.add(row, y: place.y, to: place.firstX..<place.firstX + place.count)
    } else {
      accumulator.add(
        row, y: place.y, firstX: place.firstX, step: place.step, count: place.count)
    }
  }

  /// Returns the grid of all rows added so far; nil without a row.
  mutating func finish() -> PixelGrid? {
    accumulator.finish(with: texture)
  }
}
