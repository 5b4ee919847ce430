package import LqipFiles
package import LqipOptions
package import PlaceholderEncoding

/// Turns files into their records; whatever is wrong with them ends up there.
///
/// It opens a file and says what a worker is to do with it, and makes the record of the worker's reply.
package struct FileEncoder: Sendable {
  /// What came of a file.
  package enum Result: Sendable {
    case record(PlaceholderRecord)
    /// What an earlier run says of it still holds, under this stamp and digest.
    case unchanged(RecordStamp, SHA256Digest?)
    /// It neither has an image's name nor begins as one.
    case noImage
  }

  /// A file that a worker is to read.
  package struct Opened: ~Copyable {
    package let file: RegularFile
    package let task: ImageTask

    /// Gives the open file away, and keeps what the record needs.
    package consuming func release() -> (descriptor: Int32, status: FileStatus, task: ImageTask) {
      let (status, task) = (file.status, task)
      return (file.release(), status, task)
    }
  }

  private let encoder: PlaceholderEncoder
  private let maximumByteCount: Int
  /// Whether records carry the digest of the bytes.
  package var digests = false
  /// How records of files are stamped; nil for no stamps.
  package var stamps: RecordStamp.Style?

  package init(
    _ options: PlaceholderOptions, _ limits: LimitOptions,
    kinds: Set<PlaceholderKind> = PlaceholderEncoder.defaultKinds
  ) {
    maximumByteCount = limits.byteCount
    encoder = PlaceholderEncoder(
      options: options.decoding, limits: limits.decodeLimits, kinds: kinds,
      components: options.components, blurHashEncoding: options.blurHash,
      lqipEncoding: options.lqip.encoding, includesSecondLQIP: options.lqip == .six,
      previewByteCount: options.previewByteCount)
  }

  /// Opens a file for a worker.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - followsLinks: Whether the path may be a symbolic link.
  ///   - isCandidate: Whether the file has to begin as an image to be taken for one.
  ///   - known: What an earlier run says of it; nil to encode it in any case.
  /// - Returns: The open file, and what a worker is to do with it.
  /// - Throws: Why there is nothing to read.
  package func open(
    _ path: FilePath, followsLinks: Bool, isCandidate: Bool = false, unless known: RecordKey? = nil
  ) throws(RecordFailure) -> Opened {
    let file: RegularFile?
    do {
      file = try RegularFile(opening: path, followsLinks: followsLinks)
    } catch {
      throw RecordFailure(error)
    }
    guard let file else { throw RecordFailure(.unreadable, "not a regular file") }
    var task = task(byteCount: file.status.byteCount)
    task.isCandidate = isCandidate
    if let known, known.byteCount == file.status.byteCount {
      task.knownDigest = known.digest.map(Array.init) ?? []
    }
    return Opened(file: file, task: task)
  }

  /// What a worker is to do with bytes in memory.
  package func task(byteCount: Int) -> ImageTask {
    var task = ImageTask(encoder, byteCount: byteCount, maximumByteCount: maximumByteCount)
    task.digests = digests
    return task
  }

  /// Makes of a worker's reply what came of a file.
  package func result(
    _ reply: ImageReply, of path: FilePath, _ status: FileStatus, unless known: RecordKey? = nil
  ) -> Result {
    switch reply {
    case .notAnImage: return .noImage
    case .unchanged(let digest):
      let stamp = stamps.map { RecordStamp(status, $0, failure: known?.failure) }
      guard let stamp else { preconditionFailure("what has no stamps is not kept up to date") }
      return .unchanged(stamp, digest)
    case .encoded, .failed:
      var record = record(reply, at: path)
      if record.failure?.code.isLasting ?? true {
        record.stamp = stamps.map { RecordStamp(status, $0, failure: record.failure?.code) }
      }
      return .record(record)
    }
  }

  /// The record of a worker's reply, without a stamp.
  package func record(_ reply: ImageReply, at path: FilePath) -> PlaceholderRecord {
    switch reply {
    case .encoded(let image, let byteCount, let digest):
      PlaceholderRecord(
        path: path, outcome: .encoded(image, byteCount: byteCount), digest: digest)
    case .failed(let failure, let digest):
      PlaceholderRecord(path: path, outcome: .failed(failure), digest: digest)
    case .unchanged, .notAnImage: preconditionFailure("bytes in memory are encoded in any case")
    }
  }
}
