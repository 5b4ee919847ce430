internal import CPlaceholderCodecs
internal import Placeholders

/// A reader that decodes an image row by row.
struct ImageReader: ~Copyable {
  let format: ImageFormat

  let header: lqip_header

  let samples: SampleLayout

  /// The Exif orientation; for WebP, it is ignored, as in browsers.
  let orientation: ImageOrientation

  let profile: ColorProfile

  private let source: ImageSource
  private let profileWarnings: [String]

  /// Creates a reader, reads the header and starts decoding at the smallest scale that the options allow.
  ///
  /// Throws if the header is invalid or the image is too large.
  init(_ source: consuming ImageSource, _ format: ImageFormat) throws(ImageDecodingError) {
    guard let header = unsafe lqip_codec_open(source.codec, format.codecFormat)?.pointee else {
      throw source.error(format: format)
    }
    let samples: SampleLayout =
      switch header.channels {
      case 1: .gray
      case 2: .grayAlpha
      case 3: .rgb
      default: format == .jpeg ? .cmyk : .rgba
      }
    var warnings: [String] = []
    lqip_clear_allocation_error()
    let profile = unsafe Self.profile(lqip_codec_color(source.codec), samples, &warnings)
    // lcms2 does not distinguish a failed allocation from an invalid profile.
    guard warnings.isEmpty || !lqip_has_allocation_error() else { throw .outOfMemory }
    orientation = unsafe ImageOrientation(exif: lqip_codec_exif(source.codec).buffer.span)
    self.profile = profile
    profileWarnings = warnings
    self.format = format
    self.header = header
    self.samples = samples
    self.source = source
  }

  /// The number of frames; nil for a still image.
  ///
  /// Except for PNG, the number is final only after the last row.
  var frameCount: Int? {
    let count = unsafe Int(lqip_codec_frame_count(source.codec))
    return count > 1 ? count : nil
  }

  /// Whether the file has all of the image; nil if its rest was not read.
  ///
  /// The value is final after the last row.
  var isComplete: Bool? {
    switch unsafe lqip_codec_extent(source.codec) {
    case .LQIP_UNREAD: nil
    case .LQIP_INCOMPLETE: false
    case .LQIP_COMPLETE: true
    }
  }

  /// The problems found so far that did not prevent decoding, without duplicates.
  var warnings: [String] { profileWarnings + source.warnings }

  /// The error of the last failed call, or of a decode that returned no row.
  var failure: ImageDecodingError { source.error(format: format) }

  /// Reads the next row into the start of an array that has room for a full row.
  ///
  /// After the last row, the call reads the rest of the file if the options require it.
  ///
  /// - Returns: The position of its pixels; nil after the last row, and at the end of truncated data in a lenient
  ///   decode.
  func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> lqip_row? {
    var position = lqip_row()
    var hasRow = false
    let isRead = unsafe row.withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return false }
      return unsafe lqip_codec_read_row(source.codec, start, &position, &hasRow)
    }
    guard isRead else { throw failure }
    return hasRow ? position : nil
  }

  /// Returns the color profile of an image; sRGB if it has none or, with a warning, if it is unusable.
  ///
  /// The chunks of a PNG file take precedence in this order, as in Chromium: cICP, iCCP, sRGB, gAMA with cHRM. A chunk that
  /// is unsupported or damaged is ignored, and the next one applies.
  private static func profile(
    _ color: lqip_color, _ layout: SampleLayout, _ warnings: inout [String]
  ) -> ColorProfile {
    if unsafe color.has_coding {
      let coding = unsafe ColorCoding(cICP: color.coding)
      if let name = coding?.transfer.hdrName {
        warnings.append("HDR transfer function \(name): shown as on a screen without HDR")
      }
      if let coding,
        let profile = unsafe ColorProfile(
          coding: coding, layout: layout, maximumLuminance: color.max_luminance)
      {
        return profile
      }
      warnings.append("cICP chunk ignored: unsupported values")
    }
    let icc = unsafe color.icc_profile.buffer
    if unsafe !icc.isEmpty || color.has_profile {
      if let profile = unsafe ColorProfile(icc: icc.span, layout: layout) { return profile }
      warnings.append("color profile ignored: damaged or for a different color space")
    }
    guard unsafe color.has_gamma && !color.has_srgb else { return .sRGB }
    let primaries = unsafe Primaries(
      white: SIMD2(color.white.0, color.white.1), red: SIMD2(color.red.0, color.red.1),
      green: SIMD2(color.green.0, color.green.1), blue: SIMD2(color.blue.0, color.blue.1))
    if let profile = unsafe ColorProfile(
      gamma: color.gamma, primaries: color.has_chromaticities ? primaries : .sRGB)
    {
      return profile
    }
    warnings.append("gAMA and cHRM chunks ignored: invalid values")
    return .sRGB
  }
}

extension ColorCoding {
  /// Creates a color space from a cICP chunk; nil if Chromium does not support it.
  ///
  /// Like Chromium, this supports only RGB samples (matrix 0) with the full range (1).
  fileprivate init?(cICP values: (UInt8, UInt8, UInt8, UInt8)) {
    guard values.2 == 0, values.3 == 1 else { return nil }
    self.init(primaries: values.0, transfer: values.1, cameraCurve: .gamma(2.4))
  }
}

extension lqip_bytes {
  fileprivate var buffer: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: bytes, count: count)
  }
}

extension ImageFormat {
  fileprivate var codecFormat: lqip_format {
    switch self {
    case .jpeg: .LQIP_JPEG
    case .png: .LQIP_PNG
    case .webp: .LQIP_WEBP
    case .gif: .LQIP_GIF
    case .avif, .heic, .heif: preconditionFailure("HEIF files have a reader of their own")
    }
  }
}
