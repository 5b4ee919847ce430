package import LqipFiles
package import LqipOptions
internal import PlaceholderEncoding

/// Turns the bytes of one image into its record; whatever is wrong with them ends up there.
package struct FileEncoder: Sendable {
  private let encoder: PlaceholderEncoder
  private let maximumByteCount: Int
  /// Whether records carry the digest of the bytes.
  package var digests = false
  /// How records of files are stamped; nil for no stamps.
  package var stamps: RecordStamp.Style?

  package init(_ options: PlaceholderOptions, _ limits: LimitOptions) {
    maximumByteCount = limits.byteCount
    encoder = PlaceholderEncoder(
      options: options.decoding, limits: limits.decodeLimits, components: options.components,
      blurHash: options.blurHash, lqip: options.lqip)
  }

  /// Encodes a file.
  package func record(of path: FilePath, followsLinks: Bool) -> PlaceholderRecord {
    do {
      let file = try Self.open(path, followsLinks: followsLinks)
      return record(of: file, at: path, try digest(of: file))
    } catch {
      return PlaceholderRecord(path: path, outcome: .failed(error))
    }
  }

  /// Encodes a file, unless what an earlier run says of it still holds; then the record is nil.
  package func record(
    of path: FilePath, followsLinks: Bool, unless known: RecordKey
  ) -> PlaceholderRecord? {
    do {
      let file = try Self.open(path, followsLinks: followsLinks)
      let digest = try digest(of: file)
      let stamp = stamps.map { RecordStamp(file.status, $0) }
      if let stamp, known.matches(stamp, digest) { return nil }
      return record(of: file, at: path, digest)
    } catch {
      return PlaceholderRecord(path: path, outcome: .failed(error))
    }
  }

  /// Encodes an image in memory.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - path: What the record is to call it; empty for nothing.
  /// - Returns: The record, without a stamp.
  package func record(of bytes: [UInt8], at path: FilePath) -> PlaceholderRecord {
    let digest = digests ? SHA256Digest(of: bytes) : nil
    let outcome = outcome(byteCount: bytes.count) { () throws(ImageDecodingError) in
      try encoder.encode(bytes.span)
    }
    return PlaceholderRecord(path: path, outcome: outcome, digest: digest)
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

  private func digest(of file: borrowing RegularFile) throws(RecordFailure) -> SHA256Digest? {
    guard digests, file.status.byteCount <= maximumByteCount else { return nil }
    do {
      return try SHA256Digest(ofFile: file.descriptor.number)
    } catch {
      throw RecordFailure(error)
    }
  }

  private func record(
    of file: borrowing RegularFile, at path: FilePath, _ digest: SHA256Digest?
  ) -> PlaceholderRecord {
    let descriptor = file.descriptor.number
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
      return .failed(RecordFailure(byteCount: byteCount, limit: maximumByteCount))
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
