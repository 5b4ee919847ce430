package import LqipFiles
package import LqipRecords
internal import LqipWorkers

/// What a worker would do, in the process of the test.
extension FileEncoder {
  /// The record of a file of which nothing is known.
  package func record(of path: FilePath, followsLinks: Bool) -> PlaceholderRecord {
    do throws(RecordFailure) {
      let (descriptor, status, task) = try open(path, followsLinks: followsLinks).release()
      defer { close(descriptor) }
      let result = result(task.reply(for: .file(descriptor)), of: path, status)
      guard case .record(let record) = result else {
        preconditionFailure("a file of which nothing is known was not encoded")
      }
      return record
    } catch {
      return PlaceholderRecord(path: path, outcome: .failed(error))
    }
  }

  /// The record of an image in memory.
  package func record(of bytes: Span<UInt8>, at path: FilePath) -> PlaceholderRecord {
    record(task(byteCount: bytes.count).reply(for: bytes), at: path)
  }
}
