package import LqipFiles

/// Where the images of a batch come from.
package protocol BatchSource {
  /// Goes on to the next finding.
  ///
  /// - Returns: The finding, or nil after the last.
  /// - Throws: That the source cannot be read.
  mutating func next() throws(CommandError) -> ImageWalker.Finding?
}
