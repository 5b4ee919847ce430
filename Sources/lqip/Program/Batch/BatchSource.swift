import LqipSystem
import LqipRecords

/// The input of a batch: directories, a list of paths or an archive.
protocol BatchSource {
  /// Returns the next finding, or `nil` after the last.
  mutating func next() throws(CommandError) -> Finding?

  /// The estimated fraction of the source that has been visited, 0...1; `nil` if its size is unknown.
  var fraction: Double? { get }
}

/// An item of a source: an image, an archive entry, an unlisted directory or a skipped entry.
enum Finding: Hashable, Sendable {
  /// The reason that a directory entry is skipped.
  enum Skip: String, CaseIterable, Sendable {
    /// A symbolic link, if links are not followed.
    case link
    /// A symbolic link to one of its own parent directories.
    case loop
    /// A symbolic link with a missing target, if links are followed.
    case dangling
    /// A pipe, a socket or a device.
    case special
    /// An image of another shard; only the first is reported.
    case otherShard
  }

  /// A file to encode.
  ///
  /// With `requiresSignature`, the file is ignored unless it begins with an image signature.
  case image(FilePath, followsLinks: Bool, requiresSignature: Bool)
  /// An archive entry: the bytes to encode, or the reason that it cannot be encoded.
  case content(FilePath, Result<[UInt8], RecordFailure>)
  /// A directory that cannot be listed.
  case unlisted(FilePath, RecordFailure)
  case skipped(FilePath, Skip)

  var path: FilePath {
    switch self {
    case .image(let path, _, _), .content(let path, _), .unlisted(let path, _),
      .skipped(let path, _):
      path
    }
  }
}
