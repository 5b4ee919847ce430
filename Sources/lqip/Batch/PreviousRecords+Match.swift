package import LqipRecords

extension PreviousRecords {
  /// What earlier runs say of a file.
  package struct Match: Sendable {
    package let entry: RecordEntry
    package let reuse: RecordReuse
    /// The records of the file in the output.
    let numbers: [Int]
  }
}
