internal import LqipFiles
package import LqipOptions
package import LqipRecords

/// Counts what became of the files of a batch.
package struct BatchSummary: Hashable, Sendable {
  private(set) var encodedCount = 0
  /// Placeholders that were there from an earlier run.
  private(set) var reusedCount = 0
  private(set) var failures: [RecordFailure.Code: Int] = [:]
  /// Files that were looked at in this run, whatever came of it: these take the time.
  private(set) var readCount = 0
  /// The size of the encoded files.
  private(set) var byteCount = 0
  private(set) var emptyDirectoryCount = 0

  /// How long the batch took, once it has ended.
  var elapsed = Duration.zero
  /// The signal that ended the batch early.
  package var signal: Int32?
  /// Whether somebody wants to know the counts.
  var isWanted = false

  var failedCount: Int {
    failures.values.reduce(0, +)
  }

  /// Files of every kind so far.
  var visitedCount: Int {
    encodedCount + reusedCount + failedCount
  }

  /// Counts a file that was encoded now, or could not be.
  package mutating func count(_ record: PlaceholderRecord) {
    readCount += 1
    switch record.outcome {
    case .encoded(_, let byteCount):
      encodedCount += 1
      self.byteCount += byteCount
    case .failed(let failure):
      failures[failure.code, default: 0] += 1
    }
  }

  /// Counts a file whose record is that of an earlier run.
  ///
  /// - Parameter failure: Why it failed then; it did not become better.
  package mutating func countReused(failure: RecordFailure.Code? = nil) {
    if let failure {
      failures[failure, default: 0] += 1
    } else {
      reusedCount += 1
    }
  }

  /// Counts a directory that was named and has no image.
  package mutating func countEmptyDirectory() {
    emptyDirectoryCount += 1
  }

  /// Prints the counts where somebody wants to know them, and gives the exit code.
  package func report() -> ExitStatus {
    if isWanted { StandardError.print(text) }
    if let signal { return ExitStatus(signal: signal) }
    return failedCount > 0 || emptyDirectoryCount > 0 ? .failure : .success
  }

  /// The counts, and how long it took.
  var text: String {
    let rate = Double(readCount) / max(elapsed / .seconds(1), 1e-3)
    return "\(self) in \(Figure.elapsed(elapsed))"
      + (encodedCount > 0 ? ", \(Figure.number(rate)) images/s" : "")
  }
}

extension BatchSummary: CustomStringConvertible {
  /// The counts, which are the same whenever the same is done.
  package var description: String {
    let reused = reusedCount > 0 ? ", \(reusedCount) reused" : ""
    let codes = RecordFailure.Code.allCases.compactMap { code in
      failures[code].map { "\($0) \(code.rawValue)" }
    }
    let reasons = codes.isEmpty ? "" : " (\(codes.joined(separator: ", ")))"
    return "\(encodedCount) encoded\(reused), \(failedCount) failed\(reasons)"
  }
}
