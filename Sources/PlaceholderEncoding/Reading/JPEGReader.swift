internal import CPlaceholderCodecs
internal import Placeholders

/// A reader of a JPEG image, which decodes at the smallest scale that a grid allows.
@safe struct JPEGReader: ImageReader, ~Copyable {
  /// The maximum number of pixels for texture detection.
  ///
  /// Decoding a textured image at full size takes several times as long. A progressive image also takes up to 12 MB
  /// of memory for the coefficients of all scans.
  private static let maximumTexturedPixelCount = (baseline: 1 << 24, progressive: 1 << 21)

  private let codec: CodecReader
  private var profileWarnings: [String] = []

  /// The number of rows at the decoded scale, and the index of the next row.
  private var rowCount = 0
  private var y = 0

  init(_ source: consuming ImageSource) throws(ImageDecodingError) {
    codec = try unsafe CodecReader(
      source, .jpeg, lqip_jpeg_reader_create, lqip_jpeg_reader_read_header,
      lqip_jpeg_reader_destroy)
  }

  var header: ImageHeader {
    ImageHeader(
      format: .jpeg, width: Int(codec.header.width), height: Int(codec.header.height),
      orientation: unsafe lqip_jpeg_reader_exif(codec.handle).orientation,
      hasAlpha: false, isAnimated: false)
  }

  mutating func start(_ options: ImageDecoder.Options) throws(ImageDecodingError) -> RowLayout {
    let profile = try unsafe lqip_jpeg_reader_icc_profile(codec.handle)
      .profile(for: codec.samples, warnings: &profileWarnings)
    let (scale, dcOnly) = try plan(options)
    var decoded = lqip_header()
    try codec.check(
      unsafe lqip_jpeg_reader_start(
        codec.handle, Int32(scale), dcOnly, options.verifiesWholeFile, &decoded))
    rowCount = Int(decoded.height)
    return RowLayout(
      width: Int(decoded.width), height: rowCount, scale: scale, samples: codec.samples,
      profile: profile)
  }

  /// Chooses the scale, and whether to decode only the DC coefficients.
  private func plan(
    _ options: ImageDecoder.Options
  ) throws(ImageDecodingError) -> (scale: Int, dcOnly: Bool) {
    let shortSide = Int(min(codec.header.width, codec.header.height))
    if options.isExact || shortSide < CodecReader.minimumShortSide { return (1, false) }
    let isProgressive = unsafe lqip_jpeg_reader_is_progressive(codec.handle)
    let pixelCount = Int(codec.header.width) * Int(codec.header.height)
    let maximum = Self.maximumTexturedPixelCount
    let scale = isProgressive ? 8 : codec.scale(among: [8, 4, 2])
    var isTextured = false
    if pixelCount <= (isProgressive ? maximum.progressive : maximum.baseline) {
      try codec.check(
        unsafe lqip_jpeg_reader_find_texture(codec.handle, Int32(scale), &isTextured))
    }
    if isTextured { return (1, false) }
    guard isProgressive else { return (scale, false) }
    var isRepeated = false
    try codec.check(unsafe lqip_jpeg_reader_find_repeated_dc(codec.handle, &isRepeated))
    return isRepeated ? (1, false) : (scale, true)
  }

  mutating func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> RowPosition? {
    guard y < rowCount else { return nil }
    var count: UInt32 = 0
    var hasRow = false
    try unsafe codec.readRow(into: &row) {
      unsafe lqip_jpeg_reader_read_row($0, $1, &count, &hasRow)
    }
    guard hasRow else { return nil }
    defer { y += 1 }
    return RowPosition(y: y, count: Int(count))
  }

  mutating func verify() throws(ImageDecodingError) {
    try codec.check(unsafe lqip_jpeg_reader_verify(codec.handle))
  }

  var warnings: [String] { profileWarnings + codec.warnings }

  var failure: ImageDecodingError { codec.failure }
}
