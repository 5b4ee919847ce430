internal import PlaceholderEncoding
package import LqipFiles
internal import PlaceholderEncoding

extension FileDescriptor {
  /// Whether the file begins as an image.
  package var isImage: Bool {
    ImageFormat(sniffing: read(upTo: 12).span) != nil
  }
}
