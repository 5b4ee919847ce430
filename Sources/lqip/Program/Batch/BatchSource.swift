import LqipSystem
import LqipRecords

/// What a batch encodes: directories, lists or an archive.
protocol BatchSource {
  /// Goes on to the next finding.
  ///
  /// - Returns: The finding, or `nil` after the last.
  /// - Throws: That the source cannot be read.
  mutating func next() throws(CommandError) -> Finding?

  /// An estimate of the part that has been found, 0...1; `nil` where the end is unknown.
  var fraction: Double? { get }
}

/// Something that a source comes across.
enum Finding: Hashable, Sendable {
  /// Why something in a directory is not encoded.
  enum Skip: String, CaseIterable, Sendable {
    /// A symbolic link, where links are not followed.
    case link
    /// A symbolic link back into a directory that it lies in.
    case loop
    /// A symbolic link that leads nowhere, where links are followed.
    case dangling
    /// A pipe, a socket or a device.
    case special
    /// An image of another shard; only the first is reported.
    case otherShard
  }

  /// A file to encode, whether it may be a symbolic link, and whether it has to begin as an image
  /// to be taken for one.
  case image(FilePath, followsLinks: Bool, isCandidate: Bool)
  /// The bytes to encode, or why they cannot be read.
  case content(FilePath, Result<[UInt8], RecordFailure>)
  /// A directory that cannot be listed.
  case unlisted(FilePath, RecordFailure)
  case skipped(FilePath, Skip)
}
