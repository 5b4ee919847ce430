package import LqipRecords

extension PreviousRecords {
  /// What earlier runs say of a file.
  package struct Match: Sendable {
    package let entry: RecordEntry
    package let reuse: RecordReuse
    /// The records of the file in the output.
    let numbers: [Int]
  }

  /// Lines of the output that are no records.
  package struct Rejection: Hashable, Sendable {
    package let line: Int
    package let bounds: Range<Int>
  }
}
