import LqipSystem
import LqipRecords

/// What became of an item of a batch, and what is written for it.
struct BatchEvent: Sendable {
  enum Outcome: Sendable {
    case encoded(byteCount: Int)
    case failed(RecordFailure)
    /// Records of the earlier output that hold, and those among them that say why an image failed.
    case reused(count: Int, failures: [(path: FilePath, code: RecordFailure.Code)])
    /// An earlier record that stays, as the image failed for a reason that may pass.
    case kept(RecordFailure)
    /// Records of the earlier output whose files the run did not find.
    case unvisited(count: Int)
    /// Records of the earlier output that are left out.
    case dropped(count: Int)
    /// A directory that cannot be listed.
    case unlisted(RecordFailure)
    /// Something in a directory that is not encoded.
    case skipped(Finding.Skip)
  }

  enum Output: Sendable {
    case nothing
    /// A new record.
    case entry([UInt8])
    /// Lines of the earlier output.
    case old(Range<Int>)
  }

  /// The file; of several, the last.
  let path: FilePath
  let outcome: Outcome
  let output: Output

  init(_ path: FilePath, _ outcome: Outcome, _ output: Output = .nothing) {
    (self.path, self.outcome, self.output) = (path, outcome, output)
  }

  /// Makes the event of a new record.
  init(_ path: FilePath, _ record: PlaceholderRecord, _ entry: [UInt8]) {
    let outcome: Outcome =
      switch record.outcome {
      case .encoded(_, let byteCount): .encoded(byteCount: byteCount)
      case .failed(let failure): .failed(failure)
      }
    self.init(path, outcome, .entry(entry))
  }
}

/// Counts what became of the items of a batch.
struct BatchSummary: Sendable {
  /// How often something happened, with the first files to which it did.
  private struct Tally {
    private static let exampleCount = 3

    private(set) var count = 0
    private var examples: [FilePath] = []

    mutating func add(_ path: FilePath) {
      count += 1
      if examples.count < Self.exampleCount { examples.append(path) }
    }

    /// The examples for people, and how many there are besides.
    var text: String {
      let rest = count > examples.count ? [" and \(count - examples.count) more"] : []
      return examples.map { "\($0)" }.joined(separator: ", ") + rest.joined()
    }
  }

  private(set) var encodedCount = 0
  private var reusedCount = 0
  private var failures: [RecordFailure.Code: Int] = [:]
  private var failed = Tally()
  /// Failed files whose earlier record stays.
  private var kept = Tally()
  private var unvisitedCount = 0
  private var droppedCount = 0
  private var unlistedCount = 0
  private var skipped: [Finding.Skip: Tally] = [:]
  private var hasOtherShard = false
  /// The number of files that were read in this run, which take the time.
  private(set) var readCount = 0
  /// The size of the encoded files.
  private(set) var byteCount = 0

  /// How long the batch took, once it has ended.
  var elapsed = Duration.zero
  /// The signal that ended the batch early.
  var signal: Int32?
  /// Whether the counts are to be printed.
  var isWanted = false
  /// Whether nobody reads the results any more.
  var isOutputClosed = false
  /// Whether there may be more images than the run has found.
  var isInputIncomplete = false
  /// Whether the input could not be read to its end.
  var endedEarly = false

  init() {}

  var failedCount: Int {
    failures.values.reduce(0, +)
  }

  /// The number of files that were found, without directories.
  var visitedCount: Int {
    encodedCount + reusedCount + failedCount - unlistedCount
  }

  /// Whether no image was found, in this shard or another.
  var hasNothing: Bool { visitedCount == 0 && !hasOtherShard && signal == nil }

  /// Counts an event; returns what is printed of it at once, if anything.
  mutating func count(_ event: BatchEvent) -> String? {
    switch event.outcome {
    case .encoded(let byteCount):
      encodedCount += 1
      readCount += 1
      self.byteCount += byteCount
    case .failed(let failure): count(failure, event.path)
    case .reused(let count, let failures):
      reusedCount += count - failures.count
      // What failed did not become better.
      for (path, code) in failures {
        self.failures[code, default: 0] += 1
        failed.add(path)
      }
    case .kept(let failure):
      count(failure, event.path)
      kept.add(event.path)
      return "\(event.path): \(failure.message); kept the earlier record"
    case .unvisited(let count): unvisitedCount += count
    case .dropped(let count): droppedCount += count
    case .unlisted(let failure):
      count(failure, event.path)
      unlistedCount += 1
      isInputIncomplete = true
      return "\(event.path): \(failure.message)"
    case .skipped(.otherShard): hasOtherShard = true
    case .skipped(let kind):
      skipped[kind, default: Tally()].add(event.path)
      if kind == .loop { return "\(event.path): symbolic link to a parent directory, skipped" }
    }
    return nil
  }

  private mutating func count(_ failure: RecordFailure, _ path: FilePath) {
    readCount += 1
    failures[failure.code, default: 0] += 1
    failed.add(path)
  }

  /// Counts the dropped records as kept, after all.
  mutating func keepAll() {
    unvisitedCount += droppedCount
    droppedCount = 0
  }

  /// Prints the counts if that was asked for; returns the exit status.
  func report() -> ExitStatus {
    // A directory that could not be listed has a message of its own.
    let isWorthIt =
      visitedCount > 0 || droppedCount > 0 || !skipped.isEmpty || unlistedCount == 0
    if hasNothing, !endedEarly, unlistedCount == 0 { StandardError.print("no images found") }
    if isWanted, isWorthIt { StandardError.print(text) }
    if let signal { return ExitStatus(signal: signal) }
    if isOutputClosed { return .outputClosed }
    if isInputIncomplete || hasNothing { return .input }
    return failedCount > 0 ? .failure : .success
  }

  /// The counts, the time and the rate, with the names of the first files.
  var text: String {
    let rate = Double(readCount) / max(elapsed / .seconds(1), 1e-3)
    let details: [(String, Tally)] =
      [("failed", failed), ("failed, record kept", kept)]
      + Finding.Skip.allCases.map { ("skipped (\($0.rawValue))", skipped[$0] ?? Tally()) }
    return "\(self) in \(NumberText.elapsed(elapsed))"
      + (encodedCount > 0 ? ", \(NumberText.number(rate)) images/s" : "")
      + details.filter { $0.1.count > 0 }.map { "\n  \($0.0): \($0.1.text)" }.joined()
  }
}

extension BatchSummary: CustomStringConvertible {
  /// The counts, which are the same whenever the same is done.
  var description: String {
    let codes = RecordFailure.Code.allCases.compactMap { code in
      failures[code].map { "\($0) \(code.rawValue)" }
    }
    let reasons = codes.isEmpty ? "" : " (\(codes.joined(separator: ", ")))"
    let skippedCount = skipped.values.map(\.count).reduce(0, +)
    let rest = [
      (unvisitedCount, "kept, not found"), (droppedCount, "dropped"), (skippedCount, "skipped"),
    ]
    return "\(encodedCount) encoded" + (reusedCount > 0 ? ", \(reusedCount) reused" : "")
      + ", \(failedCount) failed\(reasons)"
      + rest.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
      + (signal == nil ? "" : ", partial")
  }
}
