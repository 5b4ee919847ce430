#if WebP

internal import CPlaceholderCodecs
internal import Placeholders

/// A reader of a WebP image, or of the first frame of an animation on its canvas.
@safe struct WebPReader: ImageReader, ~Copyable {
  /// The maximum number of pixels of an image that is decoded at full size, which preserves the brightness of textures.
  ///
  /// Decoding at full size takes 10% more time and up to 12 MB of memory.
  private static let maximumUnscaledPixelCount = 1 << 22

  private let codec: CodecReader
  private var profileWarnings: [String] = []

  /// The index of the next row.
  private var y = 0

  init(_ source: consuming ImageSource) throws(ImageDecodingError) {
    codec = try unsafe CodecReader(
      source, .webp, lqip_webp_reader_create, lqip_webp_reader_read_header,
      lqip_webp_reader_destroy)
  }

  /// The properties of the image; the number of frames is final only after the last row.
  ///
  /// The Exif orientation is ignored, as in browsers.
  var header: ImageHeader {
    ImageHeader(
      format: .webp, width: Int(codec.header.width), height: Int(codec.header.height),
      orientation: .up,
      hasAlpha: codec.samples.hasAlpha, isAnimated: frameCount > 1,
      frameCount: frameCount > 1 ? frameCount : nil)
  }

  mutating func start(_ options: ImageDecoder.Options) throws(ImageDecodingError) -> RowLayout {
    let profile = try unsafe lqip_webp_reader_icc_profile(codec.handle)
      .profile(for: codec.samples, warnings: &profileWarnings)
    let scale = scale(options)
    var decoded = lqip_header()
    try codec.check(unsafe lqip_webp_reader_start(codec.handle, Int32(scale), &decoded))
    return RowLayout(
      width: Int(decoded.width), height: Int(decoded.height), scale: scale,
      samples: codec.samples, profile: profile)
  }

  /// Chooses the scale at which libwebp decodes the image.
  ///
  /// libwebp averages encoded samples and includes the color of transparent pixels, so an image with alpha is not
  /// scaled. At 1/8, the error of previews is twice that at 1/4, and decoding is not faster.
  private func scale(_ options: ImageDecoder.Options) -> Int {
    let pixelCount = Int(codec.header.width) * Int(codec.header.height)
    let isUnscaled =
      options.isExact || codec.samples.hasAlpha || pixelCount <= Self.maximumUnscaledPixelCount
    return isUnscaled ? 1 : codec.scale(among: [4, 2])
  }

  mutating func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> RowPosition? {
    var count: UInt32 = 0
    var hasRow = false
    try unsafe codec.readRow(into: &row) {
      unsafe lqip_webp_reader_read_row($0, $1, &count, &hasRow)
    }
    guard hasRow else { return nil }
    defer { y += 1 }
    let firstX = unsafe Int(lqip_webp_reader_frame(codec.handle).x)
    return RowPosition(y: y, firstX: firstX, count: Int(count), isTransparentElsewhere: true)
  }

  /// Does nothing, because ``readRow(into:)`` has verified the rest of the file after the last row.
  mutating func verify() throws(ImageDecodingError) {}

  var warnings: [String] { profileWarnings + codec.warnings }

  var failure: ImageDecodingError { codec.failure }

  private var frameCount: Int {
    unsafe Int(lqip_webp_reader_frame_count(codec.handle))
  }
}

#endif
