package import LqipFiles
package import LqipRecords

/// Gives what another source does, but in place of the files that have no place in an output, why not.
package struct CheckedSource: BatchSource {
  private var source: any BatchSource
  private let layout: RecordLayout

  /// Begins where the source is.
  ///
  /// - Parameters:
  ///   - source: What is to be encoded.
  ///   - layout: What the output looks like.
  package init(_ source: any BatchSource, for layout: RecordLayout) {
    self.source = source
    self.layout = layout
  }

  /// The next finding, or nil after the last.
  package mutating func next() throws(CommandError) -> ImageWalker.Finding? {
    while let finding = try source.next() {
      switch finding {
      case .image(let path, let followsLinks, let isCandidate):
        guard let objection = layout.objection(to: path) else { return finding }
        // What is no image has no record either.
        if isCandidate, !path.isImage(followsLinks: followsLinks) { continue }
        return .content(path, .failure(objection))
      case .content(let path, _), .link(let path, to: _):
        return layout.objection(to: path).map { .content(path, .failure($0)) } ?? finding
      case .unreadable, .entered, .left, .emptyList, .skipped: return finding
      }
    }
    return nil
  }
}
