package import LqipFiles
package import LqipRecords

/// Records of an earlier output that follow one another and all hold, as they are to be written.
package struct RecordRun: Hashable, Sendable {
  /// A record that says why there are no placeholders.
  struct Failure: Hashable, Sendable {
    let path: FilePath
    let code: RecordFailure.Code
  }

  private static let capacity = 1 << 14

  /// The records with what goes between them.
  package private(set) var bytes: [UInt8] = []
  package private(set) var count = 0
  /// The path of the last.
  package private(set) var path = FilePath([])
  private(set) var failures: [Failure] = []

  package init() {}

  /// Whether it is time to hand it on.
  package var isFull: Bool {
    bytes.count >= Self.capacity
  }

  /// Adds a record to the end.
  package mutating func append(_ entry: RecordEntry, _ format: RecordFormat) {
    if count == 0 {
      bytes.reserveCapacity(Self.capacity + 2 * entry.bytes.count)
    } else {
      bytes += RecordWriter.separator(format)
    }
    bytes += entry.bytes
    count += 1
    path = entry.key.path
    if let code = entry.key.failure { failures.append(Failure(path: path, code: code)) }
  }
}
