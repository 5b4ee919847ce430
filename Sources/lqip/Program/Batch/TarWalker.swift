import LqipOptions
import LqipRecords
import LqipSystem

/// Finds the images in a tar archive: every selected entry except directories, in archive order.
final class TarWalker: BatchSource {
  /// The maximum size of an entry in bytes; a larger entry fails without being read into memory.
  private let maximumByteCount: Int
  private let options: WalkOptions
  private var reader: TarReader
  private var hasOtherShard = false

  let fraction: Double? = nil

  /// Opens an archive; `-` is standard input.
  init(
    _ path: FilePath, maximumByteCount: Int, options: WalkOptions = WalkOptions()
  ) throws(CommandError) {
    self.maximumByteCount = maximumByteCount
    self.options = options
    reader = try TarReader(path)
  }

  func next() throws(CommandError) -> Finding? {
    while let entry = try reader.next() {
      guard entry.status.kind != .directory, options.selectsEntry(entry.path) else { continue }
      guard options.isInShard(entry.path) else {
        if hasOtherShard { continue }
        hasOtherShard = true
        return .skipped(entry.path, .otherShard)
      }
      if let failure = failure(of: entry) { return .content(entry.path, .failure(failure)) }
      return .content(entry.path, .success(try reader.content(of: entry)))
    }
    return nil
  }

  /// Returns the reason that an entry cannot be encoded, if any.
  private func failure(of entry: TarReader.Entry) -> RecordFailure? {
    if let defect = entry.defect { return RecordFailure(.unreadable, defect) }
    let count = entry.status.byteCount
    if let target = entry.hardLinkTarget, count == 0 {
      return RecordFailure(.unreadable, "hard link; the data is in \(target)")
    }
    guard entry.status.kind == .regular else {
      return RecordFailure(.unreadable, "not a regular file")
    }
    return count > maximumByteCount ? RecordFailure(byteCount: count, limit: maximumByteCount) : nil
  }
}
