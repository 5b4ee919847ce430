package import LqipFiles

/// Where the images of a batch come from.
package protocol BatchSource {
  /// What to wait for before the next finding; nil if that can be had at once.
  var awaitedDescriptor: Int32? { get }

  /// Goes on to the next finding.
  ///
  /// - Parameter knows: Tells of a path that it is an image, without a look into the file.
  /// - Returns: The finding, or nil after the last.
  /// - Throws: That the source cannot be read.
  mutating func next(knowing knows: (FilePath) -> Bool) throws(CommandError) -> ImageWalker.Finding?
}

extension BatchSource {
  /// Goes on to the next finding where nothing is known.
  mutating func next() throws(CommandError) -> ImageWalker.Finding? {
    try next { _ in false }
  }
}
