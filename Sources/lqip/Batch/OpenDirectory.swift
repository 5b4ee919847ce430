internal import LqipFiles

/// A directory that is read in parts.
final class OpenDirectory: Sendable {
  private let reader: Monitor<DirectoryReader>
  let identity: FileStatus.Identity

  /// Opens a directory.
  init(_ path: FilePath, followsLinks: Bool) throws(SystemError) {
    let reader = try DirectoryReader(path, followsLinks: followsLinks)
    identity = try reader.identity
    self.reader = Monitor(reader)
  }

  /// The next entry, or nil after the last.
  ///
  /// - Parameter followsLinks: Whether the kind of a symbolic link is that of what it leads to; nothing
  ///   comes of one that leads nowhere.
  /// - Returns: The entry and its kind.
  /// - Throws: The system's error if the directory cannot be read.
  func next(
    followsLinks: Bool
  ) throws(SystemError) -> (name: [UInt8], kind: FileStatus.Kind?)? {
    try reader.withLock { reader throws(SystemError) in
      guard let entry = try reader.next() else { return nil }
      let isFollowed = followsLinks && entry.kind == .symbolicLink
      return (entry.name, isFollowed ? reader.target(of: entry)?.kind : entry.kind)
    }
  }
}
