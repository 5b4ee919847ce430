#if WebP

internal import CPlaceholderCodecs
internal import Placeholders

/// Reads a WebP image, of an animation the first frame on its canvas.
@safe struct WebPReader: ImageReader, ~Copyable {
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
    guard let handle = unsafe lqip_webp_reader_create(source.codec) else { throw .outOfMemory }
    var size = lqip_header()
    guard unsafe lqip_webp_reader_read_header(handle, &size) else {
      unsafe lqip_webp_reader_destroy(handle)
      throw source.error(format: .webp)
    }
    unsafe self.handle = handle
    self.size = size
    self.source = source
  }

  deinit { unsafe lqip_webp_reader_destroy(handle) }

  /// The orientation and whether there are more frames stand behind the pixels.
  var header: ImageHeader {
    ImageHeader(
      format: .webp, width: Int(size.width), height: Int(size.height),
      orientation: orientation, hasAlpha: samples.hasAlpha,
      isAnimated: unsafe lqip_webp_reader_frame_count(handle) > 1)
  }

  mutating func start(_ options: DecodeOptions) throws(ImageDecodingError) -> RowLayout {
    let profile = embeddedProfile()
    let scale = scale(options)
    var decoded = lqip_header()
    try check(unsafe lqip_webp_reader_start(handle, Int32(scale), &decoded))
    rowCount = Int(decoded.height)
    return RowLayout(
      width: Int(decoded.width), height: rowCount, scale: scale, samples: samples,
      profile: profile)
  }

  /// How much the codec may scale an image down, which it does as it is encoded, and with color under alpha 0.
  ///
  /// At 1/8 previews are twice as far from the reference's as at 1/4, and nothing is gained.
  private func scale(_ options: DecodeOptions) -> Int {
    if options.isExact || samples.hasAlpha { return 1 }
    let shortSide = Int(min(size.width, size.height))
    return [4, 2].first { (shortSide + $0 - 1) / $0 >= Self.minimumShortSide } ?? 1
  }

  mutating func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> RowPlace? {
    var hasRow = false
    let succeeded = unsafe row.withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return false }
      return unsafe lqip_webp_reader_read_row(handle, start, &hasRow)
    }
    try check(succeeded)
    guard hasRow else { return nil }
    defer { y += 1 }
    return RowPlace(y: y, count: row.count / samples.count)
  }

  /// The rest of the file was read for what stands there.
  mutating func verify() throws(ImageDecodingError) {}

  var warnings: [String] { profileWarnings + source.warnings }

  var failure: ImageDecodingError { source.error(format: .webp) }

  private var samples: SampleLayout { size.channels == 4 ? .rgba : .rgb }

  private var orientation: Orientation {
    let exif = unsafe lqip_webp_reader_exif(handle)
    return unsafe Orientation(exif: UnsafeBufferPointer(start: exif.bytes, count: exif.count).span)
  }

  private mutating func embeddedProfile() -> ColorProfile {
    let icc = unsafe lqip_webp_reader_icc_profile(handle)
    let bytes = unsafe UnsafeBufferPointer(start: icc.bytes, count: icc.count)
    return unsafe ColorProfile(embedded: bytes.span, layout: samples, warnings: &profileWarnings)
  }

  private func check(_ succeeded: Bool) throws(ImageDecodingError) {
    guard succeeded else { throw failure }
  }
}

#endif
