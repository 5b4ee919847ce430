internal import LqipFiles
internal import LqipRecords

/// An image that waits for its turn.
struct BatchWork: Sendable {
  enum Content: Sendable {
    /// A file, and what an earlier run says of it that may still hold.
    case file(followsLinks: Bool, isCandidate: Bool, verify: RecordEntry?)
    case bytes([UInt8])
  }

  let place: Int
  let path: FilePath
  let content: Content
  /// The record of an earlier run, which is written if there is nothing better.
  let known: RecordEntry?

  /// Does the work; nil if it was none.
  func event(
    _ encoder: FileEncoder, _ layout: RecordLayout, _ render: (PlaceholderRecord) -> [UInt8],
    _ turn: some EncodingTurn
  ) -> BatchEncoder.Event? {
    switch content {
    case .bytes(let bytes):
      let bytes = bytes[...]
      let record = turn.decode { encoder.record(of: bytes.span, at: path) }
      return .record(record, rendered: render(record))
    case .file(let followsLinks, let isCandidate, let old):
      let result = encoder.encode(
        path, followsLinks: followsLinks, isCandidate: isCandidate, unless: old?.key, turn)
      switch result {
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
  }

  /// What stands for an image that fails for a reason of the moment: its last good record, if any.
  func event(
    _ failure: RecordFailure, _ render: (PlaceholderRecord) -> [UInt8]
  ) -> BatchEncoder.Event {
    if let known, known.key.failure == nil, known.key.isPlausible { return .kept(known, failure) }
    return .failed(path, failure, render)
  }
}
