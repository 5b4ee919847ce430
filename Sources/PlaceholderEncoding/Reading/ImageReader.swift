internal import Placeholders

/// Reads an image of one format, row by row: everything that decoding has to know of a format.
///
/// A further format is one more type of this kind, and a case of ``ImageFormat`` that names it.
protocol ImageReader: ~Copyable {
  /// Reads the header, and refuses an image that is too large.
  init(_ source: consuming ImageSource) throws(ImageDecodingError)

  /// What the file says of the image, which may be more behind the last row than at first.
  var header: ImageHeader { get }

  /// Prepares for reading no more rows, and no larger ones, than the options ask for.
  mutating func start(_ options: ImageDecoder.Options) throws(ImageDecodingError) -> RowLayout

  /// Reads the next row into the beginning of an array, which has room for a whole one.
  ///
  /// - Returns: Where its pixels belong; nil after the last row, and in a lenient decode where the data
  ///   ends.
  mutating func readRow(into row: inout [UInt8]) throws(ImageDecodingError) -> RowPlace?

  /// Reads what is left of the file, for the damage that it may hold.
  mutating func verify() throws(ImageDecodingError)

  /// Harmless defects found so far, each kind once.
  var warnings: [String] { get }

  /// Why the last call failed, or gave no row at all.
  var failure: ImageDecodingError { get }
}

/// What a file says of its image, apart from the pixels.
struct ImageHeader {
  let format: ImageFormat

  /// Pixels across, as stored.
  let width: Int

  /// Pixels down, as stored.
  let height: Int

  /// How the stored image is to be turned.
  let orientation: Orientation

  /// Whether the format's samples include transparency, be it used or not.
  let hasAlpha: Bool

  /// Whether the image is the default one of an animation.
  let isAnimated: Bool

  /// The frames of an animation, where the file has more than one.
  var frameCount: Int?
}

/// What the rows of a reader are made of.
struct RowLayout {
  /// Pixels a row.
  let width: Int

  /// Rows of the whole image.
  let height: Int

  /// Stored pixels a decoded one, along each axis: 1, 2, 4 or 8.
  var scale = 1

  /// The 8-bit samples of a pixel.
  let samples: SampleLayout

  /// What the samples mean.
  let profile: ColorProfile
}

/// Which pixels of the decoded image a row has: every `step`th one from `firstX` on.
struct RowPlace {
  let y: Int
  var firstX = 0
  var step = 1
  let count: Int
  /// Whether the other pixels of the row are transparent, and come with no other row.
  var isClearElsewhere = false
}
