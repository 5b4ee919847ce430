internal import CPlaceholderCodecs
internal import Placeholders

/// A reader of a PNG image, which always decodes at full size.
@safe struct PNGReader: ImageReader, ~Copyable {
  private let codec: CodecReader
  private var profileWarnings: [String] = []

  init(_ source: consuming ImageSource) throws(ImageDecodingError) {
    codec = try unsafe CodecReader(
      source, .png, lqip_png_reader_create, lqip_png_reader_read_header,
      lqip_png_reader_destroy)
  }

  var header: ImageHeader {
    ImageHeader(
      format: .png, width: Int(codec.header.width), height: Int(codec.header.height),
      orientation: unsafe lqip_png_reader_exif(codec.handle).orientation,
      hasAlpha: codec.samples.hasAlpha,
      isAnimated: unsafe lqip_png_reader_is_animated(codec.handle),
      frameCount: frameCount > 1 ? frameCount : nil)
  }

  mutating func start(_ options: ImageDecoder.Options) throws(ImageDecodingError) -> RowLayout {
    if options.isExact || options.verifiesWholeFile || options.isLenient {
      unsafe lqip_png_reader_use_libpng(codec.handle)
    }
    return RowLayout(
      width: Int(codec.header.width), height: Int(codec.header.height), samples: codec.samples,
      profile: try profile())
  }

  mutating func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> RowPosition? {
    var position = lqip_png_row()
    var hasRow = false
    try unsafe codec.readRow(into: &row) {
      unsafe lqip_png_reader_read_row($0, $1, &position, &hasRow)
    }
    guard hasRow else { return nil }
    return RowPosition(
      y: Int(position.y), firstX: Int(position.first_x), step: Int(position.step_x),
      count: Int(position.count))
  }

  mutating func verify() throws(ImageDecodingError) {
    try codec.check(unsafe lqip_png_reader_verify(codec.handle))
  }

  var warnings: [String] { profileWarnings + codec.warnings }

  var failure: ImageDecodingError { codec.failure }

  private var frameCount: Int {
    unsafe Int(lqip_png_reader_frame_count(codec.handle))
  }

  /// Returns the color profile of the file; sRGB if it has none.
  ///
  /// The chunks take precedence in this order: cICP, iCCP, sRGB, gAMA with cHRM. An unsupported cICP chunk is ignored.
  private mutating func profile() throws(ImageDecodingError) -> ColorProfile {
    let color = unsafe lqip_png_reader_color(codec.handle)
    if let profile = try unsafe profile(coding: color) { return profile }
    if unsafe color.icc_profile.count > 0 {
      return try unsafe color.icc_profile.profile(for: codec.samples, warnings: &profileWarnings)
    }
    if unsafe color.has_srgb || !color.has_gamma { return .sRGB }
    let primaries = unsafe Primaries(
      white: SIMD2(color.white.0, color.white.1), red: SIMD2(color.red.0, color.red.1),
      green: SIMD2(color.green.0, color.green.1), blue: SIMD2(color.blue.0, color.blue.1))
    let profile = try ColorProfile.checkingMemory {
      unsafe ColorProfile(
        gamma: color.gamma, primaries: color.has_chromaticities ? primaries : .sRGB)
    }
    if profile == nil {
      profileWarnings.append("gAMA and cHRM chunks ignored: invalid values")
    }
    return profile ?? .sRGB
  }

  private mutating func profile(
    coding color: lqip_png_color
  ) throws(ImageDecodingError) -> ColorProfile? {
    guard unsafe color.has_coding else { return nil }
    let coding = unsafe ColorCoding(
      primaries: color.coding.0, transfer: color.coding.1, matrix: color.coding.2,
      range: color.coding.3)
    if let name = coding?.transfer.hdrName {
      profileWarnings.append("HDR transfer function \(name): values above white are clipped")
    }
    let profile = try ColorProfile.checkingMemory { coding.flatMap(ColorProfile.init) }
    if profile == nil {
      profileWarnings.append("cICP chunk ignored: unsupported values")
    }
    return profile
  }
}
