#if WebP

internal import CPlaceholderCodecs
internal import Placeholders

/// Reads a WebP image, of an animation the first frame on its canvas.
@safe struct WebPReader: ImageReader, ~Copyable {
  /// The largest image that is read whole: a tenth of the time more, and 12 MB, for a texture that keeps its light.
  private static let maximumWholeSize = 1 << 22

  private let codec: CodecReader
  private var profileWarnings: [String] = []

  /// How many rows were read.
  private var y = 0

  init(_ source: consuming ImageSource) throws(ImageDecodingError) {
    codec = try unsafe CodecReader(
      source, .webp, lqip_webp_reader_create, lqip_webp_reader_read_header,
      lqip_webp_reader_destroy)
  }

  /// The number of frames is known after the last row.
  ///
  /// Exif orientation does not count, as in browsers.
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

  /// How much the codec may scale an image down, which it does as it is encoded, and with color under alpha 0.
  ///
  /// At 1/8 previews are twice as far from the reference's as at 1/4, and nothing is gained.
  private func scale(_ options: ImageDecoder.Options) -> Int {
    let pixelCount = Int(codec.header.width) * Int(codec.header.height)
    let isWhole = options.isExact || codec.samples.hasAlpha || pixelCount <= Self.maximumWholeSize
    return isWhole ? 1 : codec.scale(among: [4, 2])
  }

  mutating func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> RowPlace? {
    var count: UInt32 = 0
    var hasRow = false
    try unsafe codec.readRow(into: &row) {
      unsafe lqip_webp_reader_read_row($0, $1, &count, &hasRow)
    }
    guard hasRow else { return nil }
    defer { y += 1 }
    let firstX = unsafe Int(lqip_webp_reader_frame(codec.handle).x)
    return RowPlace(y: y, firstX: firstX, count: Int(count), isClearElsewhere: true)
  }

  /// The rest of the file was read for what stands there.
  mutating func verify() throws(ImageDecodingError) {}

  var warnings: [String] { profileWarnings + codec.warnings }

  var failure: ImageDecodingError { codec.failure }

  private var frameCount: Int {
    unsafe Int(lqip_webp_reader_frame_count(codec.handle))
  }
}

#endif
