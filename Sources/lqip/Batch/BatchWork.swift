internal import LqipFiles
internal import LqipRecords

/// An image that waits for a worker, or is with one.
struct BatchWork {
  enum Content {
    /// A file, and what an earlier run says of it that may still hold.
    case file(followsLinks: Bool, isCandidate: Bool, verify: RecordEntry?)
    case bytes([UInt8])
  }

  let place: Int
  let path: FilePath
  let content: Content
  /// The record of an earlier run, which is written if there is nothing better.
  let known: RecordEntry?
  /// What the file was when it was opened.
  var status: FileStatus?

  /// What came of the image; nil if it turned out to be none.
  func event(
    _ reply: ImageReply, _ encoder: FileEncoder, _ layout: RecordLayout,
    _ render: (PlaceholderRecord) -> [UInt8]
  ) -> BatchEncoder.Event? {
    guard case .file(_, _, let old) = content, let status else {
      let record = encoder.record(reply, at: path)
      return .record(record, rendered: render(record))
    }
    switch encoder.result(reply, of: path, status, unless: old?.key) {
    case .noImage: return nil
    case .unchanged(let stamp, let digest):
      guard let old else { preconditionFailure("nothing is known that could be unchanged") }
      let isSame = old.key.isStamped(as: stamp) && old.key.path == path
      return .reused(isSame ? old : old.restamped(stamp, digest: digest, at: path, in: layout))
    case .record(let record):
      guard let failure = record.failure, !failure.code.isLasting else {
        return .record(record, rendered: render(record))
      }
      return event(failure, render)
    }
  }

  /// What stands for an image that fails for a reason of the moment: its last good record, if any.
  func event(
    _ failure: RecordFailure, _ render: (PlaceholderRecord) -> [UInt8]
  ) -> BatchEncoder.Event {
    if let known, known.key.failure == nil, known.key.isPlausible { return .kept(known, failure) }
    return .failed(path, failure, render)
  }
}
