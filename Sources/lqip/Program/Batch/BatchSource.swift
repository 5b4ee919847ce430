import LqipRecords
import LqipSystem

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
  enum Skip: Hashable, Sendable {
    /// A symbolic link, if links are not followed.
    case link
    /// A symbolic link to one of its own parent directories.
    case loop
    /// A symbolic link with a missing target, if links are followed.
    case dangling
    /// A pipe, a socket or a device.
    case special
    /// A listed file or directory that no longer exists when it is opened.
    case vanished
    /// A file without an image extension that cannot be opened, or a `lost+found` directory.
    case unreadable
    /// An image in a format that this program does not decode.
    case format(ForeignFormat)
    /// A file of another shard; only the first is reported.
    case otherShard
  }

  /// A file to encode.
  struct File: Hashable, Sendable {
    let path: FilePath
    let followsLinks: Bool
    /// Whether the file is ignored unless it begins with an image signature.
    var requiresSignature: Bool
    /// The disk of the directory that lists the file; `nil` for a path given by the user.
    var device: dev_t?
  }

  case file(File)
  /// An archive entry: the bytes to encode, or the reason that it cannot be encoded.
  case content(FilePath, Result<[UInt8], RecordFailure>)
  /// A directory that cannot be listed.
  case unlisted(FilePath, RecordFailure)
  case skipped(FilePath, Skip)

  var path: FilePath {
    switch self {
    case .file(let file): file.path
    case .content(let path, _), .unlisted(let path, _), .skipped(let path, _): path
    }
  }
}

extension Finding.Skip: CustomStringConvertible {
  var description: String {
    switch self {
    case .link: "link"
    case .loop: "loop"
    case .dangling: "dangling"
    case .special: "special"
    case .vanished: "vanished"
    case .unreadable: "unreadable"
    case .format(let format): format.rawValue
    case .otherShard: "other shard"
    }
  }
}
