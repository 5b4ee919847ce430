internal import CPlaceholderCodecs
internal import Placeholders

/// A builder of the grid of an image, which converts each row to sRGB if necessary and accumulates its pixels.
struct GridBuilder {
  private let samples: SampleLayout
  private let transform: (any RowTransform)?
  private let width: Int
  private var accumulator: GridAccumulator
  private var texture: GridTexture?
  private var flatPixels: FlatPixels?

  /// The buffer for a decoded row, large enough for the widest row.
  var row: [UInt8]

  /// The buffer for a converted row; empty if the grid converts its cells instead.
  private var converted: [UInt8]

  /// Creates a builder for rows with the layout in the header, and the given samples and profile.
  init(
    of header: lqip_header, samples: SampleLayout, profile: ColorProfile,
    over background: SRGBColor, copiesFlatPixels: Bool
  ) {
    let scale = Int(header.scale)
    let columns = GridAxis(
      decodedLength: Int(header.decoded_width), sourceLength: Int(header.width), scale: scale)
    let rows = GridAxis(
      decodedLength: Int(header.decoded_height), sourceLength: Int(header.height), scale: scale)
    self.init(columns: columns, rows: rows, samples: samples, profile: profile, over: background)
    guard !header.has_mean_light else { return }
    if copiesFlatPixels, profile.transform == nil, profile.curves == .sRGB,
      profile.matrix == .identity
    {
      flatPixels = FlatPixels(
        width: width, height: Int(header.decoded_height), layout: samples, scale: scale)
    }
    texture = GridTexture(
      columns: columns, rows: rows, layout: samples == .cmyk ? .rgb : samples,
      curves: profile.curves, scale: scale)
  }

  /// Creates a builder for rows whose light needs no compensation.
  init(
    columns: GridAxis, rows: GridAxis, samples: SampleLayout, profile: ColorProfile,
    over background: SRGBColor
  ) {
    self.samples = samples
    transform = profile.transform
    width = columns.decodedLength
    let layout = samples == .cmyk ? .rgb : samples
    row = Array(repeating: 0, count: width * samples.count)
    converted = samples == .cmyk || profile.transform != nil ? row : []
    accumulator = GridAccumulator(
      columns: columns, rows: rows, layout: layout, curves: profile.curves,
      matrix: profile.matrix, background: background)
  }

  mutating func addRow(_ position: lqip_row) {
    let isFlat = flatPixels?.add(
      row, y: Int(position.y), count: Int(position.count), step: Int(position.step_x))
    if isFlat == false { flatPixels = nil }
    if converted.isEmpty {
      add(row, position)
    } else {
      convertRow(pixelCount: Int(position.count))
      add(converted, position)
    }
  }

  /// Converts the first `pixelCount` pixels of ``row``.
  ///
  /// CMYK samples are inverted (255 means no ink), with or without Adobe's marker, as in browsers.
  private mutating func convertRow(pixelCount: Int) {
    if let transform {
      if samples == .cmyk {
        for index in 0..<pixelCount * 4 { row[index] = 255 - row[index] }
      }
      return transform.convert(row, into: &converted, pixelCount: pixelCount)
    }
    // Without a profile, each color sample is multiplied by the black sample.
    for pixel in 0..<pixelCount {
      let light = Int(row[pixel * 4 + 3])
      for channel in 0..<3 {
        converted[pixel * 3 + channel] = UInt8((Int(row[pixel * 4 + channel]) * light + 127) / 255)
      }
    }
  }

  private mutating func add(_ row: [UInt8], _ position: lqip_row) {
    let (y, count) = (Int(position.y), Int(position.count))
    accumulator.add(
      row, y: y, firstX: Int(position.first_x), step: Int(position.step_x), count: count,
      isTransparentElsewhere: position.is_transparent_elsewhere)
    if count == width { texture?.add(row, y: y) }
  }

  /// The image itself if it is small and flat.
  var flatBitmap: RGBABitmap? { flatPixels?.bitmap }

  /// Returns the grid of all rows added so far; nil if no row was added.
  mutating func finish() -> PixelGrid? {
    accumulator.finish(with: texture)
  }
}
