internal import CImageCodecs

/// Reads a JPEG image, at the smallest scale that serves a grid.
@safe struct JPEGReader: ~Copyable {
  /// A scaled image keeps at least this many pixels on its short side.
  static let minimumShortSide = 256

  private let source: ImageSource
  private let handle: OpaquePointer
  private let header: lqip_header

  /// Reads the header, and refuses an image that is too large.
  init(_ source: consuming ImageSource) throws(ImageDecodingError) {
    guard let handle = unsafe lqip_jpeg_reader_create(source.codec) else { throw .outOfMemory }
    var header = lqip_header()
    guard unsafe lqip_jpeg_reader_read_header(handle, &header) else {
      unsafe lqip_jpeg_reader_destroy(handle)
      throw source.error(format: .jpeg)
    }
    unsafe self.handle = handle
    self.header = header
    self.source = source
  }

  deinit { unsafe lqip_jpeg_reader_destroy(handle) }

  /// Decodes the image into a grid.
  consuming func decode(_ options: DecodeOptions) throws(ImageDecodingError) -> DecodedImage {
    var warnings: [String] = []
    let profile = profile(warnings: &warnings)
    let (scale, dcOnly) = plan(options)
    var decoded = lqip_header()
    try check(unsafe lqip_jpeg_reader_start(handle, Int32(scale), dcOnly, &decoded))
    var builder = GridBuilder(
      decoded: decoded, source: header, scale: scale, layout: layout, isInverted: isInverted,
      missing: dcOnly ? missingDC : .zero, profile: profile, background: options.background)
    for y in 0..<Int(decoded.height) {
      guard try readRow(into: &builder.row) else { break }
      builder.addRow(y: y)
    }
    if options.verifies { try check(unsafe lqip_jpeg_reader_verify(handle)) }
    guard let grid = builder.grid() else { throw source.error(format: .jpeg) }
    return DecodedImage(
      format: .jpeg, grid: grid, turn: turn, hasAlpha: false, isAnimated: false,
      warnings: warnings + source.warnings)
  }

  /// How little of the image is enough.
  private func plan(_ options: DecodeOptions) -> (scale: Int, dcOnly: Bool) {
    let shortSide = Int(min(header.width, header.height))
    if options.isExact || shortSide < Self.minimumShortSide { return (1, false) }
    if unsafe lqip_jpeg_reader_is_progressive(handle) { return (8, true) }
    let scale = [8, 4, 2].first { (shortSide + $0 - 1) / $0 >= Self.minimumShortSide }
    return (scale ?? 1, false)
  }

  private func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> Bool {
    var hasRow = false
    let succeeded = unsafe row.withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return false }
      return unsafe lqip_jpeg_reader_read_row(handle, start, &hasRow)
    }
    try check(succeeded)
    return hasRow
  }

  private var layout: SampleLayout {
    switch header.channels {
    case 1: .gray
    case 4: .cmyk
    default: .rgb
    }
  }

  private var isInverted: Bool {
    unsafe layout == .cmyk && lqip_jpeg_reader_is_inverted(handle)
  }

  private var missingDC: SIMD3<Float> {
    var samples: [Float] = [0, 0, 0]
    unsafe lqip_jpeg_reader_missing_dc(handle, &samples)
    return SIMD3(samples[0], samples[1], samples[2])
  }

  private var turn: Orientation {
    let exif = unsafe lqip_jpeg_reader_exif(handle)
    return unsafe Orientation(exif: UnsafeBufferPointer(start: exif.bytes, count: exif.count).span)
  }

  private func profile(warnings: inout [String]) -> ColorProfile {
    let icc = unsafe lqip_jpeg_reader_icc_profile(handle)
    let bytes = unsafe UnsafeBufferPointer(start: icc.bytes, count: icc.count)
    return unsafe ColorProfile(embedded: bytes.span, layout: layout, warnings: &warnings)
  }

  private func check(_ succeeded: Bool) throws(ImageDecodingError) {
    guard succeeded else { throw source.error(format: .jpeg) }
  }
}
