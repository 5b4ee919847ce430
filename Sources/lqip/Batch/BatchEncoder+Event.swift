package import LqipFiles
package import LqipRecords

extension BatchEncoder {
  /// What the batch hands on, in the source's order.
  package enum Event: Sendable {
    /// A new record, and the bytes that are to be written for it.
    case record(PlaceholderRecord, rendered: [UInt8])
    /// A record of an earlier run that still holds.
    case reused(RecordEntry)
    /// Several of them that follow one another.
    case reusedRun(RecordRun)
    /// Records of the earlier output whose files the run did not come across where they should be.
    case unvisited([RecordEntry])
    /// A record of an earlier run that stays because there is no new one, for a reason of the moment.
    case kept(RecordEntry, RecordFailure)
    /// A directory that cannot be listed, and the bytes that would be written for it.
    case unlisted(FilePath, RecordFailure, rendered: [UInt8])
    /// A directory that was named, whose images come next.
    case entered(FilePath)
    /// A directory that was named and has no image.
    case noImages(FilePath)
    /// A list without a path in it.
    case emptyList
    /// Something in a directory that is not looked into.
    case skipped(FilePath, ImageWalker.Skip)

    /// Whether it is of images, and not of what they lie in.
    var isOfImages: Bool {
      switch self {
      case .record, .reused, .reusedRun, .kept: true
      case .unvisited, .unlisted, .entered, .noImages, .emptyList, .skipped: false
      }
    }

    /// The record of an image that fails.
    package static func failed(
      _ path: FilePath, _ failure: RecordFailure, _ render: (PlaceholderRecord) -> [UInt8]
    ) -> Event {
      let record = PlaceholderRecord(path: path, outcome: .failed(failure))
      return .record(record, rendered: render(record))
    }
  }
}
