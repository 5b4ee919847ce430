package import LqipRecords
package import LqipSystem

/// Encoding in the test process instead of a worker.
extension FileEncoder {
  /// Returns the record of a file.
  package func record(of path: FilePath, followsLinks: Bool) -> PlaceholderRecord {
    do throws(RecordFailure) {
      let file = try Self.open(path, followsLinks: followsLinks)
      let stamp = stamp(file.status)
      let reply = task(byteCount: file.status.byteCount).reply(for: .file(file.descriptor.number))
      return PlaceholderRecord(path: path, outcome: reply, stamp: stamp)
    } catch {
      return PlaceholderRecord(path: path, outcome: .failed(error))
    }
  }

  /// Returns the record of an image in memory.
  package func record(of bytes: Span<UInt8>, at path: FilePath) -> PlaceholderRecord {
    PlaceholderRecord(path: path, outcome: task(byteCount: bytes.count).reply(for: bytes))
  }
}
