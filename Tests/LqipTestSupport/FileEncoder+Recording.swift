package import LqipSystem
package import LqipRecords

/// The work of a worker, in the process of the test.
extension FileEncoder {
  /// The record of a file.
  package func record(of path: FilePath, followsLinks: Bool) -> PlaceholderRecord {
    do throws(RecordFailure) {
      let opened = try open(path, followsLinks: followsLinks)
      let (task, stamp) = (opened.task, opened.stamp)
      let descriptor = opened.release()
      defer { close(descriptor) }
      return made(record(task.reply(for: .file(descriptor)), at: path, stamp: stamp))
    } catch {
      return PlaceholderRecord(path: path, outcome: .failed(error))
    }
  }

  /// The record of an image in memory.
  package func record(of bytes: Span<UInt8>, at path: FilePath) -> PlaceholderRecord {
    made(record(task(byteCount: bytes.count).reply(for: bytes), at: path))
  }

  private func made(_ record: PlaceholderRecord?) -> PlaceholderRecord {
    guard let record else { preconditionFailure("only a candidate has no record") }
    return record
  }
}
