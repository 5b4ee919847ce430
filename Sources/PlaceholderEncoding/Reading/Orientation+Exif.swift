internal import Placeholders

extension Orientation {
  /// Reads the tag from TIFF data, as it stands in an Exif segment behind its signature.
  ///
  /// Without the tag, or with a value of no meaning, an image is upright.
  init(exif: Span<UInt8>) {
    let value = TIFFDirectory(first: exif)?.integer(of: 0x0112, in: exif)
    self = value.flatMap { Orientation(rawValue: Int($0)) } ?? .up
  }
}
