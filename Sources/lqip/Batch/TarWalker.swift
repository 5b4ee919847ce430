package import LqipFiles
internal import LqipRecords

/// Gives the images in a tar archive one at a time, in the archive's order.
///
/// Every entry counts as an image, except directories, which are passed over.
package final class TarWalker: BatchSource {
  private let name: FilePath
  private let maximumByteCount: Int
  private let shard: Shard?
  private var reader: TarReader
  private var isEmpty = true

  /// Starts with the first entry.
  ///
  /// - Parameters:
  ///   - path: The archive; `-` is standard input.
  ///   - maximumByteCount: The size above which an entry is not read into memory.
  ///   - shard: The part of all entries to give; nil for all.
  /// - Throws: When the archive cannot be opened or is none.
  package init(
    _ path: FilePath, maximumByteCount: Int, shard: Shard? = nil
  ) throws(CommandError) {
    name = path == FilePath("-") ? FilePath("standard input") : path
    self.maximumByteCount = maximumByteCount
    self.shard = shard
    reader = try TarReader(path)
  }

  /// The next entry, or nil at the end of the archive.
  package func next() throws(CommandError) -> ImageWalker.Finding? {
    while let entry = try reader.next() {
      guard entry.status.kind != .directory else { continue }
      isEmpty = false
      // The record of a hard link is that of what it leads to, which has to be in the same part.
      if let shard, !shard.contains(entry.hardLinkTarget ?? entry.path) { continue }
      if let target = entry.hardLinkTarget, entry.defect == nil, entry.status.byteCount == 0 {
        return .link(entry.path, to: target)
      }
      if let failure = failure(of: entry) { return .content(entry.path, .failure(failure)) }
      return .content(entry.path, .success(try reader.content(of: entry)))
    }
    defer { isEmpty = false }
    return isEmpty ? .left(name) : nil
  }

  /// Why the content of an entry is not to be read.
  private func failure(of entry: TarReader.Entry) -> RecordFailure? {
    if let defect = entry.defect { return RecordFailure(.unreadable, defect) }
    guard entry.status.kind == .regular else {
      return RecordFailure(.unreadable, "not a regular file")
    }
    let count = entry.status.byteCount
    return count > maximumByteCount ? RecordFailure(byteCount: count, limit: maximumByteCount) : nil
  }
}
