internal import Placeholders

/// Turns the bytes of one image into its record; whatever is wrong with them ends up there.
struct FileEncoder: Sendable {
  private let encoder: PlaceholderEncoder
  private let maximumByteCount: Int
  /// Whether records carry the digest of the bytes.
  var digests = false
  /// How records of files are stamped; nil for no stamps.
  var stamps: RecordStamp.Style?

  init(_ options: PlaceholderOptions, _ limits: LimitOptions) {
    maximumByteCount = limits.byteCount
    encoder = PlaceholderEncoder(
      options: options.decoding, limits: limits.decodeLimits, components: options.components,
      blurHash: options.blurHash, lqip: options.lqip)
  }

  /// Encodes a file.
  func record(of path: FilePath, followsLinks: Bool) -> PlaceholderRecord {
    do {
      guard let file = try RegularFile(opening: path, followsLinks: followsLinks) else {
        let failure = RecordFailure(.unreadable, "not a regular file")
        return PlaceholderRecord(path: path, outcome: .failed(failure))
      }
      return try record(of: file, at: path)
    } catch {
      return PlaceholderRecord(path: path, outcome: .failed(RecordFailure(error)))
    }
  }

  /// Encodes an image in memory.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - path: What the record is to call it; empty for nothing.
  /// - Returns: The record, without a stamp.
  func record(of bytes: [UInt8], at path: FilePath) -> PlaceholderRecord {
    let digest = digests ? SHA256Digest(of: bytes) : nil
    let outcome = outcome(byteCount: bytes.count) { () throws(ImageDecodingError) in
      try encoder.encode(bytes.span)
    }
    return PlaceholderRecord(path: path, outcome: outcome, digest: digest)
  }

  private func record(
    of file: borrowing RegularFile, at path: FilePath
  ) throws(SystemError) -> PlaceholderRecord {
    let descriptor = file.descriptor.number
    let isTooLarge = file.status.byteCount > maximumByteCount
    let digest = digests && !isTooLarge ? try SHA256Digest(ofFile: descriptor) : nil
    let outcome = outcome(byteCount: file.status.byteCount) { () throws(ImageDecodingError) in
      try encoder.encode(fileDescriptor: descriptor)
    }
    var record = PlaceholderRecord(path: path, outcome: outcome, digest: digest)
    if record.isLasting { record.stamp = stamps.map { RecordStamp(file.status, $0) } }
    return record
  }

  private func outcome(
    byteCount: Int, encode: () throws(ImageDecodingError) -> ImagePlaceholders
  ) -> PlaceholderRecord.Outcome {
    guard byteCount <= maximumByteCount else {
      let message = "\(byteCount) bytes are more than the limit of \(maximumByteCount)"
      return .failed(RecordFailure(.tooLarge, message))
    }
    guard byteCount > 0 else {
      return .failed(RecordFailure(.unsupportedFormat, "the file is empty"))
    }
    do {
      return .encoded(try encode(), byteCount: byteCount)
    } catch {
      return .failed(RecordFailure(error))
    }
  }
}
