internal import Placeholders

/// A reader that decodes an image of one format row by row.
///
/// To add a format, add a conforming type, a case of ``ImageFormat`` with its signature, and a case in the `switch` of
/// ``ImageDecoder``. A C reader in `CPlaceholderCodecs` calls the codec library.
protocol ImageReader: ~Copyable {
  /// Creates a reader and reads the header; throws if the header is invalid or the image is too large.
  init(_ source: consuming ImageSource) throws(ImageDecodingError)

  /// The properties of the image, which for some formats are final only after the last row.
  var header: ImageHeader { get }

  /// Starts decoding at the smallest scale that the options allow.
  mutating func start(_ options: ImageDecoder.Options) throws(ImageDecodingError) -> RowLayout

  /// Reads the next row into the start of an array that has room for a full row.
  ///
  /// - Returns: The position of its pixels; nil after the last row, and at the end of truncated data in a lenient
  ///   decode.
  mutating func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> RowPosition?

  /// Reads the rest of the file to detect damage.
  mutating func verify() throws(ImageDecodingError)

  /// The problems found so far that did not prevent decoding, without duplicates.
  var warnings: [String] { get }

  /// The error of the last failed call, or of a decode that returned no row.
  var failure: ImageDecodingError { get }
}

/// The properties of an image other than its pixels.
struct ImageHeader {
  let format: ImageFormat

  /// The stored width in pixels.
  let width: Int

  /// The stored height in pixels.
  let height: Int

  /// The transformation from the stored to the upright image.
  let orientation: ImageOrientation

  /// Whether the file has an alpha channel or a transparent color, even if all pixels are opaque.
  let hasAlpha: Bool

  /// Whether the file is an animation.
  ///
  /// Only the first frame is decoded; for PNG, the default image.
  let isAnimated: Bool

  /// The number of frames; nil for a still image.
  var frameCount: Int?
}

/// The size and sample format of decoded rows.
struct RowLayout {
  /// The number of pixels per row.
  let width: Int

  /// The number of rows.
  let height: Int

  /// The number of stored pixels per decoded pixel along each axis: 1, 2, 4 or 8.
  var scale = 1

  /// The layout of the 8-bit samples of a pixel.
  let samples: SampleLayout

  /// The conversion of samples to sRGB.
  let profile: ColorProfile
}

/// The position of decoded pixels in the image: `count` pixels of row `y`, `step` columns apart, starting at `firstX`.
struct RowPosition {
  let y: Int
  var firstX = 0
  var step = 1
  let count: Int
  /// Whether the other pixels of the row are transparent; if not, later calls return them.
  var isTransparentElsewhere = false
}
