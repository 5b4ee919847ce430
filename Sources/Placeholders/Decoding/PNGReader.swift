internal import CImageCodecs

/// Reads a PNG image, which has to be read whole.
@safe struct PNGReader: ~Copyable {
  private let source: ImageSource
  private let handle: OpaquePointer
  private let header: lqip_header

  /// Reads the header, and refuses an image that is too large.
  init(_ source: consuming ImageSource) throws(ImageDecodingError) {
    guard let handle = unsafe lqip_png_reader_create(source.codec) else { throw .outOfMemory }
    var header = lqip_header()
    guard unsafe lqip_png_reader_read_header(handle, &header) else {
      unsafe lqip_png_reader_destroy(handle)
      throw source.error(format: .png)
    }
    unsafe self.handle = handle
    self.header = header
    self.source = source
  }

  deinit { unsafe lqip_png_reader_destroy(handle) }

  /// Decodes the image into a grid.
  consuming func decode(_ options: DecodeOptions) throws(ImageDecodingError) -> DecodedImage {
    var warnings: [String] = []
    var builder = GridBuilder(
      decoded: header, source: header, scale: 1, layout: layout, isInverted: false,
      missing: .zero, profile: profile(warnings: &warnings), background: options.background)
    while let row = try readRow(into: &builder.row) {
      if row.step_x == 1 && row.first_x == 0 {
        builder.addRow(y: Int(row.y))
      } else {
        builder.addRow(
          y: Int(row.y), firstX: Int(row.first_x), step: Int(row.step_x), count: Int(row.count))
      }
    }
    if options.verifies { try check(unsafe lqip_png_reader_verify(handle)) }
    guard let grid = builder.grid() else { throw source.error(format: .png) }
    return DecodedImage(
      format: .png, grid: grid, turn: turn, hasAlpha: layout.hasAlpha,
      isAnimated: unsafe lqip_png_reader_is_animated(handle),
      warnings: warnings + source.warnings)
  }

  private func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> lqip_png_row? {
    var place = lqip_png_row()
    var hasRow = false
    let succeeded = unsafe row.withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return false }
      return unsafe lqip_png_reader_read_row(handle, start, &place, &hasRow)
    }
    try check(succeeded)
    return hasRow ? place : nil
  }

  private var layout: SampleLayout {
    switch header.channels {
    case 1: .gray
    case 2: .grayAlpha
    case 4: .rgba
    default: .rgb
    }
  }

  private var turn: Orientation {
    let exif = unsafe lqip_png_reader_exif(handle)
    return unsafe Orientation(exif: UnsafeBufferPointer(start: exif.bytes, count: exif.count).span)
  }

  /// A profile counts before the sRGB chunk, and that before gamma and chromaticities.
  private func profile(warnings: inout [String]) -> ColorProfile {
    let color = unsafe lqip_png_reader_color(handle)
    let icc = unsafe UnsafeBufferPointer(
      start: color.icc_profile.bytes, count: color.icc_profile.count)
    if !icc.isEmpty {
      return unsafe ColorProfile(embedded: icc.span, layout: layout, warnings: &warnings)
    }
    if unsafe color.has_srgb || !color.has_gamma { return .sRGB }
    let primaries = unsafe Primaries(
      white: SIMD2(color.white.0, color.white.1), red: SIMD2(color.red.0, color.red.1),
      green: SIMD2(color.green.0, color.green.1), blue: SIMD2(color.blue.0, color.blue.1))
    let profile = unsafe ColorProfile(
      gamma: color.gamma, primaries: color.has_chromaticities ? primaries : .sRGB)
    if profile == nil { warnings.append("gamma and chromaticities ignored: they make no sense") }
    return profile ?? .sRGB
  }

  private func check(_ succeeded: Bool) throws(ImageDecodingError) {
    guard succeeded else { throw source.error(format: .png) }
  }
}
