internal import CPlaceholderCodecs
internal import Placeholders

/// Reads a JPEG image, at the smallest scale that serves a grid.
@safe struct JPEGReader: ImageReader, ~Copyable {
  /// A scaled image keeps at least this many pixels on its short side.
  static let minimumShortSide = 256

  private let source: ImageSource
  private let handle: OpaquePointer
  private let size: lqip_header
  private var profileWarnings: [String] = []

  /// The decoded rows, and how many of them were read.
  private var rowCount = 0
  private var y = 0

  init(_ source: consuming ImageSource) throws(ImageDecodingError) {
    guard let handle = unsafe lqip_jpeg_reader_create(source.codec) else { throw .outOfMemory }
    var size = lqip_header()
    guard unsafe lqip_jpeg_reader_read_header(handle, &size) else {
      unsafe lqip_jpeg_reader_destroy(handle)
      throw source.error(format: .jpeg)
    }
    unsafe self.handle = handle
    self.size = size
    self.source = source
  }

  deinit { unsafe lqip_jpeg_reader_destroy(handle) }

  var header: ImageHeader {
    ImageHeader(
      format: .jpeg, width: Int(size.width), height: Int(size.height), orientation: orientation,
      hasAlpha: false, isAnimated: false)
  }

  mutating func start(_ options: DecodeOptions) throws(ImageDecodingError) -> RowLayout {
    let profile = embeddedProfile()
    let (scale, dcOnly) = plan(options)
    var decoded = lqip_header()
    try check(
      unsafe lqip_jpeg_reader_start(
        handle, Int32(scale), dcOnly, options.verifiesWholeFile, &decoded))
    rowCount = Int(decoded.height)
    return RowLayout(
      width: Int(decoded.width), height: rowCount, scale: scale, samples: samples,
      isInverted: isInverted, profile: profile)
  }

  /// How little of the image is enough.
  private func plan(_ options: DecodeOptions) -> (scale: Int, dcOnly: Bool) {
    let shortSide = Int(min(size.width, size.height))
    if options.isExact || shortSide < Self.minimumShortSide { return (1, false) }
    if unsafe lqip_jpeg_reader_is_progressive(handle) { return (8, true) }
    let scale = [8, 4, 2].first { (shortSide + $0 - 1) / $0 >= Self.minimumShortSide }
    return (scale ?? 1, false)
  }

  mutating func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> RowPlace? {
    guard y < rowCount else { return nil }
    var count: UInt32 = 0
    var hasRow = false
    let succeeded = unsafe row.withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return false }
      return unsafe lqip_jpeg_reader_read_row(handle, start, &count, &hasRow)
    }
    try check(succeeded)
    guard hasRow else { return nil }
    defer { y += 1 }
    return RowPlace(y: y, count: Int(count))
  }

  mutating func verify() throws(ImageDecodingError) {
    try check(unsafe lqip_jpeg_reader_verify(handle))
  }

  var warnings: [String] { profileWarnings + source.warnings }

  var failure: ImageDecodingError { source.error(format: .jpeg) }

  private var samples: SampleLayout {
    switch size.channels {
    case 1: .gray
    case 4: .cmyk
    default: .rgb
    }
  }

  private var isInverted: Bool {
    unsafe samples == .cmyk && lqip_jpeg_reader_is_inverted(handle)
  }

  private var orientation: Orientation {
    let exif = unsafe lqip_jpeg_reader_exif(handle)
    return unsafe Orientation(exif: UnsafeBufferPointer(start: exif.bytes, count: exif.count).span)
  }

  private mutating func embeddedProfile() -> ColorProfile {
    let icc = unsafe lqip_jpeg_reader_icc_profile(handle)
    let bytes = unsafe UnsafeBufferPointer(start: icc.bytes, count: icc.count)
    return unsafe ColorProfile(embedded: bytes.span, layout: samples, warnings: &profileWarnings)
  }

  private func check(_ succeeded: Bool) throws(ImageDecodingError) {
    guard succeeded else { throw failure }
  }
}
