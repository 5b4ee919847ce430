package import LqipFiles
package import LqipRecords

extension FileEncoder {
  /// The record of a file of which nothing is known.
  package func record(of path: FilePath, followsLinks: Bool) -> PlaceholderRecord {
    guard case .record(let record) = encode(path, followsLinks: followsLinks) else {
      preconditionFailure("a file of which nothing is known was not encoded")
    }
    return record
  }
}
