internal import LqipFiles
internal import LqipRecords

/// The records of the entries that an archive had last, for the hard links that lead to them.
struct RecentRecords {
  /// How many are held, in about 20 MB.
  static let capacity = 1 << 14

  private var records: [FilePath: (number: Int, record: PlaceholderRecord)] = [:]
  private var paths: [FilePath] = []
  private var count = 0

  /// Adds a record, which takes the place of one with the same path.
  mutating func add(_ record: PlaceholderRecord) {
    let path = record.path.normalized
    let slot = count % Self.capacity
    if slot < paths.count {
      if records[paths[slot]]?.number == count - Self.capacity { records[paths[slot]] = nil }
      paths[slot] = path
    } else {
      paths.append(path)
    }
    records[path] = (count, record)
    count += 1
  }

  /// The record of a link: that of the entry it leads to, or that there is none any more.
  func record(ofLink path: FilePath, to target: FilePath) -> PlaceholderRecord {
    guard let known = records[target.normalized]?.record else {
      let failure = RecordFailure(
        .unreadable,
        "hard link to \(target), which is not among the \(Self.capacity) entries before it"
      )
      return PlaceholderRecord(path: path, outcome: .failed(failure))
    }
    return PlaceholderRecord(path: path, outcome: known.outcome, digest: known.digest)
  }
}
