package import LqipFiles
internal import PlaceholderEncoding

extension FileDescriptor {
  /// Whether the file begins as an image.
  package var isImage: Bool { imageFormat != nil }

  /// Whether what has been read of the file is not needed again for the rest: WebP is decoded from all that
  /// came before.
  var isReadInPieces: Bool { imageFormat != nil && imageFormat != .webp }

  private var imageFormat: ImageFormat? {
    let beginning = read(upTo: 12)[...]
    return ImageFormat(sniffing: beginning.span)
  }
}
