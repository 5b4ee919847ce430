package import PlaceholderEncoding
package import LqipFiles
package import LqipOptions

/// Turns the bytes of one image into its record; whatever is wrong with them ends up there.
package struct FileEncoder: Sendable {
  /// What came of a file.
  package enum Result: Sendable {
    case record(PlaceholderRecord)
    /// What an earlier run says of it still holds, under this stamp and digest.
    case unchanged(RecordStamp, SHA256Digest?)
    /// It neither has an image's name nor begins as one.
    case noImage
  }

  /// The content of a file: its bytes, or none of them where it is read as it is decoded.
  private struct Content: ~Copyable {
    let file: RegularFile
    var bytes: ArraySlice<UInt8>?
    var digest: SHA256Digest?
    /// Whether the system had all of it when it was asked.
    var isAtHand = false
  }

  /// Wall-clock limit for files decoded while they are read, as a multiple of the CPU limit.
  private static let readingTimeFactor = 10
  /// From this size on, checking the page cache costs less than a copy of the file.
  private static let streamingThreshold = 1 << 20

  private let encoder: PlaceholderEncoder
  /// The time on the clock for what is read as it is decoded.
  private let readingTimeLimit: Duration
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
    readingTimeLimit = limits.timeout * Self.readingTimeFactor
  }

  /// Encodes a file, unless there is no need to.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - followsLinks: Whether the path may be a symbolic link.
  ///   - isCandidate: Whether the file has to begin as an image to be taken for one.
  ///   - known: What an earlier run says of it; nil to encode it in any case.
  ///   - turn: When it may be read and decoded.
  /// - Returns: What came of it.
  package func encode(
    _ path: FilePath, followsLinks: Bool, isCandidate: Bool = false, unless known: RecordKey? = nil,
    _ turn: some EncodingTurn = SingleTurn()
  ) -> Result {
    do {
      let file = try Self.open(path, followsLinks: followsLinks)
      turn.goOn()
      if isCandidate, !file.descriptor.isImage { return .noImage }
      turn.goOn()
      let content = try read(file, digests: digests || known?.digest != nil, turn)
      if let known, let stamps {
        let stamp = RecordStamp(content.file.status, stamps, failure: known.failure)
        let isSame =
          known.digest.map { $0.elementsEqual(content.digest?.hex.utf8 ?? "".utf8) } ?? true
        if isSame, known.byteCount == stamp.byteCount { return .unchanged(stamp, content.digest) }
      }
      return .record(turn.decode { record(of: content, at: path) })
    } catch {
      return .record(PlaceholderRecord(path: path, outcome: .failed(error)))
    }
  }

  /// Encodes an image in memory.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - path: What the record is to call it; empty for nothing.
  /// - Returns: The record, without a stamp.
  package func record(of bytes: Span<UInt8>, at path: FilePath) -> PlaceholderRecord {
    let digest = digests ? SHA256Digest(of: bytes) : nil
    return PlaceholderRecord(path: path, outcome: outcome(of: bytes), digest: digest)
  }

  private static func open(
    _ path: FilePath, followsLinks: Bool
  ) throws(RecordFailure) -> RegularFile {
    let file: RegularFile?
    do {
      file = try RegularFile(opening: path, followsLinks: followsLinks)
    } catch {
      throw RecordFailure(error)
    }
    guard let file else { throw RecordFailure(.unreadable, "not a regular file") }
    return file
  }

  /// Reads a file, so that decoding it does not have to wait for the system; not one that can be read as it
  /// is decoded.
  private func read(
    _ file: consuming RegularFile, digests: Bool, _ turn: some EncodingTurn
  ) throws(RecordFailure) -> Content {
    let count = file.status.byteCount
    guard count <= maximumByteCount else { return Content(file: file) }
    if !digests && Self.isAtHand(file) { return Content(file: file, isAtHand: true) }
    do throws(SystemError) {
      guard turn.reserve(count) else {
        let digest = digests ? try SHA256Digest(ofFile: file.descriptor.number) : nil
        return Content(file: file, digest: digest)
      }
      let bytes = try bytes(of: file.descriptor.number, count, turn)
      let digest = digests ? SHA256Digest(of: bytes) : nil
      return Content(file: file, bytes: bytes[...], digest: digest)
    } catch {
      throw RecordFailure(error)
    }
  }

  /// Whether to read a file a piece at a time keeps nobody waiting, and saves the pages to hold it.
  private static func isAtHand(_ file: borrowing RegularFile) -> Bool {
    let count = file.status.byteCount
    return count >= streamingThreshold && file.descriptor.isCached(byteCount: count)
      && file.descriptor.isReadInPieces
  }

  /// Reads to the end of a file, which may have grown since it was asked, or to the limit.
  private func bytes(
    of descriptor: Int32, _ expectedCount: Int, _ turn: some EncodingTurn
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    repeat {
      // One more than there should be shows whether there is.
      let missing = bytes.count <= expectedCount ? expectedCount + 1 - bytes.count : 1 << 16
      let chunk = try FileDescriptor.read(
        descriptor, at: bytes.count, upTo: min(missing, maximumByteCount + 1 - bytes.count))
      turn.goOn()
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      if chunk.isEmpty || bytes.count == expectedCount { break }
    } while bytes.count <= maximumByteCount
    return bytes
  }

  private func record(of content: borrowing Content, at path: FilePath) -> PlaceholderRecord {
    let status = content.file.status
    let outcome =
      if let bytes = content.bytes { outcome(of: bytes.span) } else { outcomeInPieces(of: content) }
    var record = PlaceholderRecord(
      path: path, outcome: outcome, digest: digests ? content.digest : nil)
    if record.failure?.code.isLasting ?? true {
      record.stamp = stamps.map { RecordStamp(status, $0, failure: record.failure?.code) }
    }
    return record
  }

  private func outcome(of bytes: Span<UInt8>) -> PlaceholderRecord.Outcome {
    outcome(byteCount: bytes.count) { () throws(ImageDecodingError) in
      try encoder.encode(bytes)
    }
  }

  private func outcomeInPieces(of content: borrowing Content) -> PlaceholderRecord.Outcome {
    let descriptor = content.file.descriptor.number
    var encoder = encoder
    if !content.isAtHand { encoder.decoder.limits.wallTimeLimit = readingTimeLimit }
    let outcome = outcome(byteCount: content.file.status.byteCount) {
      () throws(ImageDecodingError) in
      try encoder.encode(fileDescriptor: descriptor)
    }
    // What has grown meanwhile is held to the limit too.
    guard let count = try? FileStatus(of: descriptor).byteCount, count > maximumByteCount else {
      return outcome
    }
    return .failed(RecordFailure(byteCount: count, limit: maximumByteCount))
  }

  private func outcome(
    byteCount: Int, encode: () throws(ImageDecodingError) -> ImagePlaceholders
  ) -> PlaceholderRecord.Outcome {
    guard byteCount <= maximumByteCount else {
      return .failed(RecordFailure(byteCount: byteCount, limit: maximumByteCount))
    }
    guard byteCount > 0 else {
      return .failed(RecordFailure(.unsupportedFormat, "empty file"))
    }
    do {
      return .encoded(try encode(), byteCount: byteCount)
    } catch {
      return .failed(RecordFailure(error))
    }
  }
}
