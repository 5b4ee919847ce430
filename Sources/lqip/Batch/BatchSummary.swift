/// Counts what became of the files of a batch.
struct BatchSummary: Hashable, Sendable {
  private(set) var encodedCount = 0
  private(set) var failedCount = 0
  private(set) var emptyDirectoryCount = 0

  /// Counts one file in.
  mutating func count(_ record: PlaceholderRecord) {
    switch record.outcome {
    case .encoded: encodedCount += 1
    case .failed: failedCount += 1
    }
  }

  /// Counts a directory that was named and has no image.
  mutating func countEmptyDirectory() {
    emptyDirectoryCount += 1
  }

  /// Prints the counts where somebody wants to know them, and gives the exit code.
  func report() -> ExitStatus {
    if failedCount > 0 || StandardError.isTerminal { StandardError.print("\(self)") }
    return failedCount > 0 || emptyDirectoryCount > 0 ? .failure : .success
  }
}

extension BatchSummary: CustomStringConvertible {
  var description: String {
    "\(encodedCount) encoded, \(failedCount) failed"
  }
}
