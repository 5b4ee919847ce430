package import LqipSystem
package import PlaceholderEncoding

/// Turns files into their records; whatever is wrong with them ends up there.
///
/// It opens a file and says what a worker is to do with it, and makes the record of the worker's reply.
package struct FileEncoder: Sendable {
  /// A file that a worker is to read.
  package struct Opened: ~Copyable {
    package let file: RegularFile
    package let task: ImageTask
    /// The stamp of its record, if records have any.
    package let stamp: RecordStamp?

    /// Hands over the open file, for its new owner to close.
    package consuming func release() -> Int32 { file.release() }
  }

  private let encoder: PlaceholderEncoder
  private let maximumByteCount: Int
  /// Whether records carry the digest of the bytes.
  package var digests = false
  /// The settings that records of files are stamped with; `nil` for no stamps.
  package var stampedSettings: String?

  package init(
    _ options: PlaceholderOptions, _ limits: LimitOptions,
    kinds: Set<PlaceholderKind> = PlaceholderEncoder.Options().kinds
  ) {
    maximumByteCount = limits.byteCount
    var encoding = PlaceholderEncoder.Options()
    encoding.kinds = kinds
    encoding.blurHash.components = options.components
    encoding.blurHash.method = options.blurHash
    encoding.lqip.method = options.lqip.encoding
    encoding.lqip.hasSixColors = options.lqip == .six
    encoding.preview.maximumByteCount = options.previewByteCount
    encoding.decoding = options.decoding
    encoding.limits = limits.decodeLimits
    encoder = PlaceholderEncoder(encoding)
  }

  /// Opens a file for a worker.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - followsLinks: Whether the path may be a symbolic link.
  ///   - isCandidate: Whether the file has to begin as an image to be taken for one.
  /// - Returns: The open file, and what a worker is to do with it.
  /// - Throws: Why there is nothing to read.
  package func open(
    _ path: FilePath, followsLinks: Bool, isCandidate: Bool = false
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
    let stamp = stampedSettings.map { RecordStamp(file.status, settings: $0, at: .now) }
    return Opened(file: file, task: task, stamp: stamp)
  }

  /// What a worker is to do with bytes in memory.
  package func task(byteCount: Int) -> ImageTask {
    var task = ImageTask(encoder, byteCount: byteCount, maximumByteCount: maximumByteCount)
    task.digests = digests
    return task
  }

  /// The record of a worker's reply.
  ///
  /// - Parameters:
  ///   - reply: The reply.
  ///   - path: The path in the record.
  ///   - stamp: The stamp of the file; a failure that may pass gets none.
  /// - Returns: The record; `nil` if the file turned out not to be an image.
  package func record(
    _ reply: ImageReply, at path: FilePath, stamp: RecordStamp? = nil
  ) -> PlaceholderRecord? {
    switch reply {
    case .encoded(let image, let byteCount, let digest):
      PlaceholderRecord(
        path: path, outcome: .encoded(image, byteCount: byteCount), digest: digest, stamp: stamp)
    case .failed(let failure, let digest):
      PlaceholderRecord(
        path: path, outcome: .failed(failure), digest: digest,
        stamp: failure.code.isLasting ? stamp : nil)
    case .notAnImage: nil
    }
  }
}
