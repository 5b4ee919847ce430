internal import CPlaceholderCodecs
internal import Placeholders

/// A reader that decodes an image row by row with the C reader of its format.
@safe struct ImageReader: ~Copyable {
  /// The functions of a C reader.
  private typealias Functions = (
    open: (OpaquePointer, UnsafeMutablePointer<lqip_header>) -> OpaquePointer?,
    readRow: (
      OpaquePointer, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<lqip_row>,
      UnsafeMutablePointer<Bool>
    ) -> Bool,
    destroy: (OpaquePointer) -> Void
  )

  let format: ImageFormat

  /// The properties in the header.
  let header: lqip_header

  private let source: ImageSource
  private let handle: OpaquePointer
  private let functions: Functions
  private var profileWarnings: [String] = []

  /// Creates a reader and reads the header; throws if the header is invalid or the image is too large.
  init(_ source: consuming ImageSource) throws(ImageDecodingError) {
    let format = try source.format()
    let functions: Functions
    switch format {
    case .jpeg:
      unsafe functions = (
        lqip_jpeg_reader_open, lqip_jpeg_reader_read_row, lqip_jpeg_reader_destroy
      )
    case .png:
      unsafe functions = (lqip_png_reader_open, lqip_png_reader_read_row, lqip_png_reader_destroy)
    case .webp:
      #if WebP
      unsafe functions = (
        lqip_webp_reader_open, lqip_webp_reader_read_row, lqip_webp_reader_destroy
      )
      #else
      throw .unsupported(format: .webp, reason: "built without libwebp")
      #endif
    case .gif:
      #if GIF
      unsafe functions = (lqip_gif_reader_open, lqip_gif_reader_read_row, lqip_gif_reader_destroy)
      #else
      throw .unsupported(format: .gif, reason: "built without giflib")
      #endif
    }
    var header = lqip_header()
    guard let handle = unsafe functions.open(source.codec, &header) else {
      throw source.error(format: format)
    }
    self.format = format
    self.header = header
    self.source = source
    unsafe self.handle = handle
    unsafe self.functions = functions
  }

  deinit { unsafe functions.destroy(handle) }

  /// The layout of the 8-bit samples of a pixel.
  var samples: SampleLayout {
    switch header.channels {
    case 1: .gray
    case 2: .grayAlpha
    case 3: .rgb
    default: format == .jpeg ? .cmyk : .rgba
    }
  }

  /// The Exif orientation; for WebP, it is ignored, as in browsers.
  var orientation: ImageOrientation {
    switch format {
    case .jpeg: unsafe lqip_jpeg_reader_exif(handle).orientation
    case .png: unsafe lqip_png_reader_exif(handle).orientation
    case .webp, .gif: .up
    }
  }

  /// The number of frames; nil for a still image.
  ///
  /// Except for PNG, the number is final only after the last row.
  var frameCount: Int? {
    let count = unsafe Int(lqip_codec_frame_count(source.codec))
    return count > 1 ? count : nil
  }

  /// The problems found so far that did not prevent decoding, without duplicates.
  var warnings: [String] { profileWarnings + source.warnings }

  /// The error of the last failed call, or of a decode that returned no row.
  var failure: ImageDecodingError { source.error(format: format) }

  /// Starts decoding at the smallest scale that the options allow.
  ///
  /// - Returns: The size of the decoded rows, and the conversion of their samples to sRGB.
  mutating func start() throws(ImageDecodingError) -> (layout: lqip_layout, profile: ColorProfile) {
    var layout = lqip_layout(width: header.width, height: header.height, scale: 1)
    var profile = ColorProfile.sRGB
    switch format {
    case .jpeg:
      profile = try unsafe self.profile(icc: lqip_jpeg_reader_icc_profile(handle))
      try check(unsafe lqip_jpeg_reader_start(handle, &layout))
    case .png:
      profile = try unsafe self.profile(png: lqip_png_reader_color(handle))
    case .webp:
      #if WebP
      profile = try unsafe self.profile(icc: lqip_webp_reader_icc_profile(handle))
      try check(unsafe lqip_webp_reader_start(handle, &layout))
      #endif
      break
    case .gif:
      break
    }
    return (layout, profile)
  }

  /// Reads the next row into the start of an array that has room for a full row.
  ///
  /// After the last row, the call reads the rest of the file if the options require it.
  ///
  /// - Returns: The position of its pixels; nil after the last row, and at the end of truncated data in a lenient
  ///   decode.
  func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> lqip_row? {
    var position = lqip_row()
    var hasRow = false
    try check(
      unsafe row.withUnsafeMutableBufferPointer { row in
        guard let start = row.baseAddress else { return false }
        return unsafe functions.readRow(handle, start, &position, &hasRow)
      })
    return hasRow ? position : nil
  }

  /// Throws ``failure`` if a call to the C reader has failed.
  private func check(_ succeeded: Bool) throws(ImageDecodingError) {
    guard succeeded else { throw failure }
  }

  /// Parses an ICC profile; falls back to sRGB if it is empty or unusable.
  private mutating func profile(icc: lqip_bytes) throws(ImageDecodingError) -> ColorProfile {
    let bytes = unsafe UnsafeBufferPointer(start: icc.bytes, count: icc.count)
    return try ColorProfile(
      embedded: unsafe bytes.span, layout: samples, warnings: &profileWarnings)
  }

  /// Returns the color profile of a PNG file; sRGB if it has none.
  ///
  /// The chunks take precedence in this order: cICP, iCCP, sRGB, gAMA with cHRM. An unsupported cICP chunk is ignored.
  private mutating func profile(png color: lqip_png_color) throws(ImageDecodingError)
    -> ColorProfile
  {
    if let profile = try unsafe profile(coding: color) { return profile }
    if unsafe color.icc_profile.count > 0 { return try unsafe profile(icc: color.icc_profile) }
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

extension lqip_bytes {
  /// The orientation that the bytes contain as Exif data; upright if there is none.
  fileprivate var orientation: ImageOrientation {
    let bytes = unsafe UnsafeBufferPointer(start: bytes, count: count)
    return unsafe ImageOrientation(exif: bytes.span)
  }
}
