internal import CPlaceholderCodecs
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

  /// Creates a builder for rows with the layout in the header, and the given samples and profile.
  init(
    of header: lqip_header, samples: SampleLayout, profile: ColorProfile,
    over background: SRGBColor
  ) {
    let scale = Int(header.scale)
    width = Int(header.decoded_width)
    let columns = GridAxis(decodedLength: width, sourceLength: Int(header.width), scale: scale)
    let rows = GridAxis(
      decodedLength: Int(header.decoded_height), sourceLength: Int(header.height),
      scale: scale)
    let curves: TransferCurves
    let matrix: ColorMatrix
    let transform: ColorTransform?
    switch profile {
    case .matrix(let own, let ownMatrix): (curves, matrix, transform) = (own, ownMatrix, nil)
    case .table(let own): (curves, matrix, transform) = (.sRGB, .identity, own)
    }
    converter = RowConverter(input: samples, transform: transform)
    row = Array(repeating: 0, count: width * samples.count)
    converted = converter.isIdentity ? [] : row
    accumulator = GridAccumulator(
      columns: columns, rows: rows, layout: converter.output, curves: curves, matrix: matrix,
      background: background)
    texture = GridTexture(
      columns: columns, rows: rows, layout: converter.output, curves: curves, scale: scale)
  }

  /// Adds the pixels in ``row`` at the given position.
  mutating func addRow(_ position: lqip_row) {
    if converter.isIdentity {
      add(row, position)
    } else {
      converter.convert(&row, into: &converted, pixelCount: Int(position.count))
      add(converted, position)
    }
  }

  private mutating func add(_ row: [UInt8], _ position: lqip_row) {
    let (y, count) = (Int(position.y), Int(position.count))
    accumulator.add(
      row, y: y, firstX: Int(position.first_x), step: Int(position.step_x), count: count,
      isTransparentElsewhere: position.is_transparent_elsewhere)
    if count == width { texture?.add(row, y: y) }
  }

  /// Returns the grid of all rows added so far; nil if no row was added.
  mutating func finish() -> PixelGrid? {
    accumulator.finish(with: texture)
  }
}
