internal import LqipFiles
package import LqipOptions
package import LqipRecords

/// Counts what became of the files of a batch.
package struct BatchSummary: Hashable, Sendable {
  package private(set) var encoded = Tally()
  /// Placeholders that were there from an earlier run.
  package private(set) var reusedCount = 0
  package private(set) var failures: [RecordFailure.Code: Int] = [:]
  package private(set) var failed = Tally()
  /// Failed files whose record is still that of an earlier run.
  package private(set) var kept = Tally()
  /// Records whose files are gone.
  package var dropped = Tally()
  package private(set) var skipped: [ImageWalker.Skip: Tally] = [:]
  /// Directories that could not be listed.
  package private(set) var unlisted = Tally()
  /// Files that were looked at in this run, whatever came of it: these take the time.
  package private(set) var readCount = 0
  /// The size of the encoded files.
  package private(set) var byteCount = 0
  package private(set) var emptyDirectories = Tally()
  private var hasEmptyList = false

  /// Records of files that seem to be gone, kept all the same, and why.
  private var missingCount = 0
  private var missingReason = ""

  /// How long the batch took, once it has ended.
  package var elapsed = Duration.zero
  /// The signal that ended the batch early.
  package var signal: Int32?
  /// Whether the counts are to be printed.
  package var isWanted = false
  /// Whether nobody reads the results any more.
  package var isOutputClosed = false
  /// Whether the output has not become what was asked for.
  package var isOutputIncomplete = false
  /// Whether directories and lists without an image are what the user expects.
  package var allowsEmpty = false

  package var encodedCount: Int {
    encoded.count
  }

  package var failedCount: Int {
    failures.values.reduce(0, +)
  }

  /// Whether there may be more images than the run has seen.
  package var isInputIncomplete: Bool {
    unlisted.count > 0 || !allowsEmpty && (emptyDirectories.count > 0 || hasEmptyList)
  }

  /// Files of every kind so far.
  package var visitedCount: Int {
    encodedCount + reusedCount + failedCount
  }

  /// Counts what the batch hands on.
  package mutating func count(_ event: BatchEncoder.Event) {
    switch event {
    case .record(let record, _): count(record)
    case .reused(let entry):
      // What failed did not become better.
      guard let code = entry.key.failure else { return reusedCount += 1 }
      failures[code, default: 0] += 1
      failed.add(entry.key.path)
    case .reusedRun(let run):
      reusedCount += run.count - run.failures.count
      for failure in run.failures {
        failures[failure.code, default: 0] += 1
        failed.add(failure.path)
      }
    case .kept(let entry, let failure):
      count(failure, entry.key.path)
      kept.add(entry.key.path)
    case .unlisted(let path, let failure, _):
      count(failure, path)
      unlisted.add(path)
    case .noImages(let path): emptyDirectories.add(path)
    case .emptyList: hasEmptyList = true
    case .skipped(let path, let kind): skipped[kind, default: Tally()].add(path)
    case .entered, .unvisited: break
    }
  }

  /// Counts a file that was encoded, or not, in this run.
  package mutating func count(_ record: PlaceholderRecord) {
    switch record.outcome {
    case .encoded(_, let byteCount):
      readCount += 1
      encoded.add(record.path)
      self.byteCount += byteCount
    case .failed(let failure):
      count(failure, record.path)
    }
  }

  /// Counts a failure of this run.
  private mutating func count(_ failure: RecordFailure, _ path: FilePath) {
    readCount += 1
    failures[failure.code, default: 0] += 1
    failed.add(path)
  }

  /// Takes note that records of missing files stay.
  package mutating func keepMissing(_ count: Int, because reason: String) {
    (missingCount, missingReason) = (count, reason)
  }

  /// Prints the counts if that was asked for, and gives the exit code.
  package func report() -> ExitStatus {
    if missingCount > 0 {
      StandardError.print(
        "kept \(missingCount) \(missingCount == 1 ? "record" : "records") of missing files: "
          + missingReason)
    }
    if isWanted, !hasOnlyUnlisted { StandardError.print(text) }
    if let signal { return ExitStatus(signal: signal) }
    if isOutputClosed { return .outputClosed }
    if isOutputIncomplete { return .output }
    if isInputIncomplete { return .input }
    return failedCount > 0 ? .failure : .success
  }

  /// Whether the run came across nothing but directories that could not be listed, each of which has
  /// a message of its own.
  private var hasOnlyUnlisted: Bool {
    unlisted.count > 0 && visitedCount == unlisted.count && dropped.count == 0 && skipped.isEmpty
  }

  /// The counts, and how long it took.
  package var text: String {
    let rate = Double(readCount) / max(elapsed / .seconds(1), 1e-3)
    let details: [(String, Tally)] =
      [("failed", failed), ("kept after an error", kept), ("dropped", dropped)]
      + ImageWalker.Skip.allCases.map {
        ("skipped (\($0.rawValue))", skipped[$0] ?? Tally())
      }
    return "\(self) in \(NumberText.elapsed(elapsed))"
      + (encodedCount > 0 ? ", \(NumberText.number(rate)) images/s" : "")
      + details.filter { $0.1.count > 0 }.map { "\n  \($0.0): \($0.1.text)" }.joined()
  }
}

extension BatchSummary: CustomStringConvertible {
  /// The counts, which are the same whenever the same is done.
  package var description: String {
    let codes = RecordFailure.Code.allCases.compactMap { code in
      failures[code].map { "\($0) \(code.rawValue)" }
    }
    let reasons = codes.isEmpty ? "" : " (\(codes.joined(separator: ", ")))"
    let skippedCount = skipped.values.map(\.count).reduce(0, +)
    let rest = [(kept.count, "kept"), (dropped.count, "dropped"), (skippedCount, "skipped")]
    return "\(encodedCount) encoded" + (reusedCount > 0 ? ", \(reusedCount) reused" : "")
      + ", \(failedCount) failed\(reasons)"
      + rest.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
      + (signal == nil ? "" : ", partial")
  }
}

extension BatchSummary {
  /// Whether an open file is a summary.
  package static func isOutput(_ descriptor: Int32) -> Bool {
    FileDescriptor.begins(descriptor, with: #"{"new":{"count":"#.utf8)
  }

  /// The counts as an object.
  package var json: JSON {
    let codes = RecordFailure.Code.allCases.compactMap { code in
      failures[code].map { (name: code.rawValue, value: JSON.integer($0)) }
    }
    let skips = ImageWalker.Skip.allCases.compactMap { kind in
      skipped[kind].map { (name: kind.rawValue, value: $0.json) }
    }
    return .object([
      ("new", encoded.json), ("reused", .object([("count", .integer(reusedCount))])),
      ("failed", failed.json), ("failures", .object(codes)), ("kept", kept.json),
      ("dropped", dropped.json), ("skipped", .object(skips)), ("unlisted", unlisted.json),
      ("empty", emptyDirectories.json), ("missing_kept", .integer(missingCount)),
      ("partial", .boolean(signal != nil)),
      ("input_complete", .boolean(!isInputIncomplete)),
      ("seconds", .number(elapsed / .seconds(1))),
    ])
  }
}
