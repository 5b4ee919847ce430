package import LqipFiles

extension FilePath {
  /// Whether there is a regular file that can be opened and begins as an image.
  package func isImage(followsLinks: Bool) -> Bool {
    guard let file = try? RegularFile(opening: self, followsLinks: followsLinks) else {
      return false
    }
    return file.descriptor.isImage
  }
}
