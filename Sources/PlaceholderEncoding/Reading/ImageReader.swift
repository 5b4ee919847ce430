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
