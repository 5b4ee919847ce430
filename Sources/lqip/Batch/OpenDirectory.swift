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
  /// - Parameter followsLinks: Whether the kind of a symbolic link is that of what it leads to.
  /// - Returns: The entry and its kind: nil for a link that leads nowhere, a failure for one that may
  ///   not be followed.
  /// - Throws: The system's error if the directory cannot be read.
  func next(
    followsLinks: Bool
  ) throws(SystemError) -> (name: [UInt8], kind: Result<FileStatus.Kind?, SystemError>)? {
    try reader.withLock { reader throws(SystemError) in
      guard let entry = try reader.next() else { return nil }
      guard followsLinks, entry.kind == .symbolicLink else {
        return (entry.name, .success(entry.kind))
      }
      do throws(SystemError) {
        return (entry.name, .success(try reader.target(of: entry)?.kind))
      } catch {
        return (entry.name, .failure(error))
      }
    }
  }
}
