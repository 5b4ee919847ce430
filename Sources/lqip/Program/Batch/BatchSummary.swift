import LqipOptions
import LqipRecords
import LqipSystem

/// The outcome of a batch item, and the output to write for it.
struct BatchEvent: Sendable {
  enum Outcome: Sendable {
    case encoded
    case failed(RecordFailure)
    /// Earlier records that are still valid, and the error records among them.
    case reused(count: Int, failures: [(path: FilePath, code: RecordFailure.Code)])
    /// An earlier record that is kept because of a transient error.
    case kept(RecordFailure)
    /// Earlier records of files that this run did not find.
    case unvisited(count: Int)
    /// Earlier records that are dropped from the output.
    case dropped(count: Int, isOtherShard: Bool)
    /// A directory that cannot be listed.
    case unlisted(RecordFailure)
    /// A directory entry that is skipped.
    case skipped(Finding.Skip)
  }

  enum Output: Sendable {
    case nothing
    /// A new record.
    case entry([UInt8])
    /// A byte range of complete lines in the earlier output.
    case previous(Range<Int>)
  }

  /// The path of the file; for several records, the path of the last.
  let path: FilePath
  let outcome: Outcome
  let output: Output
  /// Whether the event is about a file with one earlier record, which is not reused.
  var hasEarlier = false

  init(_ path: FilePath, _ outcome: Outcome, _ output: Output = .nothing) {
    (self.path, self.outcome, self.output) = (path, outcome, output)
  }

  /// Creates the event for a new record; `path` is the path of the file.
  init(_ path: FilePath, _ record: PlaceholderRecord, _ entry: [UInt8]) {
    self.init(path, record.failure.map(Outcome.failed) ?? .encoded, .entry(entry))
  }
}

/// The outcome of a batch: the number of files per result, and why it ended early, if it did.
struct BatchSummary: Sendable {
  /// A number of files, with the first paths as examples.
  private struct FileCount {
    private static let exampleCount = 3

    private(set) var count = 0
    private var examples: [String] = []

    mutating func add(_ path: FilePath, _ reason: String? = nil) {
      count += 1
      guard examples.count < Self.exampleCount else { return }
      examples.append("\(path)" + (reason.map { " (\($0))" } ?? ""))
    }

    /// The example paths with their reasons, and the number of other paths.
    var text: String {
      let rest = count > examples.count ? [" and \(count - examples.count) more"] : []
      return examples.joined(separator: ", ") + rest.joined()
    }
  }

  private(set) var encodedCount = 0
  private var reusedCount = 0
  private var failures: [RecordFailure.Code: Int] = [:]
  private var failed = FileCount()
  /// The message for the first file that failed.
  private var firstFailure: String?
  /// Failed files whose earlier record was kept.
  private var kept = FileCount()
  private var unvisitedCount = 0
  private var missingCount = 0
  private var otherShardCount = 0
  /// The number of records in the earlier output.
  private(set) var earlierCount = 0
  private var unlistedCount = 0
  private var skipped: [Finding.Skip: FileCount] = [:]
  private var hasOtherShard = false
  /// The number of files that this run read; files with reused records are not read.
  private(set) var readCount = 0

  /// The duration of the batch; set when it has ended.
  var elapsed = Duration.zero
  /// The signal that ended the batch early.
  var signal: Int32?
  /// Whether to print the summary.
  var isWanted = false
  /// Whether the reader of the output closed it early, as `head` does.
  var isOutputClosed = false
  /// Whether the input may contain images that the run did not find.
  var isInputIncomplete = false
  /// Whether reading the input failed before its end.
  var endedEarly = false

  var failedCount: Int {
    failures.values.reduce(0, +)
  }

  /// The number of files found, without directories.
  var visitedCount: Int {
    encodedCount + reusedCount + failedCount - unlistedCount
  }

  /// Whether an uninterrupted run found no image in any shard.
  var foundNoImages: Bool { visitedCount == 0 && !hasOtherShard && signal == nil }

  /// The number of earlier records that are dropped.
  var droppedCount: Int { missingCount + otherShardCount }

  /// Whether the run left out records or files that the user might expect.
  var hasOmissions: Bool {
    droppedCount > 0 && !foundNoImages
      || skipped.keys.contains { ![.link, .loop, .dangling, .special].contains($0) }
  }

  /// Counts an event; returns the message to print immediately, if any.
  mutating func count(_ event: BatchEvent) -> String? {
    if event.hasEarlier { earlierCount += 1 }
    switch event.outcome {
    case .encoded:
      encodedCount += 1
      readCount += 1
    case .failed(let failure): count(failure, event.path)
    case .reused(let count, let failures):
      earlierCount += count
      reusedCount += count - failures.count
      // A reused error record still counts as a failure.
      for (path, code) in failures {
        self.failures[code, default: 0] += 1
        failed.add(path, code.rawValue)
      }
    case .kept(let failure):
      count(failure, event.path)
      kept.add(event.path)
      return "\(event.path): \(failure.message); the earlier record was kept"
    case .unvisited(let count):
      earlierCount += count
      unvisitedCount += count
    case .dropped(let count, let isOtherShard):
      earlierCount += count
      if isOtherShard { otherShardCount += count } else { missingCount += count }
    case .unlisted(let failure):
      count(failure, event.path)
      unlistedCount += 1
      isInputIncomplete = true
      return "\(event.path): \(failure.message)\(Advice.missing(event.path))"
    case .skipped(.otherShard): hasOtherShard = true
    case .skipped(let kind):
      skipped[kind, default: FileCount()].add(event.path)
      if kind == .loop { return "\(event.path): skipped: symbolic link to a parent directory" }
    }
    return nil
  }

  private mutating func count(_ failure: RecordFailure, _ path: FilePath) {
    readCount += 1
    failures[failure.code, default: 0] += 1
    failed.add(path, failure.message)
    let isMissing = failure == RecordFailure(SystemError.notFound)
    let advice = isMissing ? Advice.missing(path) : ""
    firstFailure = firstFailure ?? "\(path): \(failure.message)\(advice)"
  }

  /// Counts the dropped records as kept, because the output is left unchanged.
  mutating func keepAll() {
    unvisitedCount += droppedCount
    (missingCount, otherShardCount) = (0, 0)
  }

  /// Prints a message if no images were found, and the summary if `isWanted` is set; returns the exit status.
  func report() -> ExitStatus {
    // Unlisted directories have already been reported.
    let hasCounts = visitedCount > 0 || droppedCount > 0 || !skipped.isEmpty || unlistedCount == 0
    if foundNoImages, !endedEarly, unlistedCount == 0 { StandardError.print("no images found") }
    if isWanted, hasCounts { StandardError.print(text) }
    if let signal { return ExitStatus(signal: signal) }
    if isOutputClosed { return .outputClosed }
    if isInputIncomplete || foundNoImages { return .input }
    return failedCount > 0 ? .failure : .success
  }

  /// The summary: the counts, the duration and the rate, followed by example paths.
  var text: String {
    let isAlone = visitedCount == 1 && unlistedCount + unvisitedCount + droppedCount == 0
    if let firstFailure, isAlone, skipped.isEmpty, signal == nil { return firstFailure }
    let failures = [("failed", failed), ("failed, record kept", kept)]
    let details = failures.filter { $0.1.count > 0 }.map { "\($0.0): \($0.1.text)" } + skippedPaths
    return "\(self) in \(NumberText.elapsed(elapsed))"
      + (encodedCount > 0 ? ", \(NumberText.rate(readCount, in: elapsed)) images/s" : "")
      + details.map { "\n  \($0)" }.joined()
  }
}

extension BatchSummary: CustomStringConvertible {
  /// The counts, without the duration and the rate.
  var description: String {
    let codes = RecordFailure.Code.allCases.compactMap { code in
      failures[code].map { "\($0) \(code.rawValue)" }
    }
    let reasons = codes.isEmpty ? "" : " (\(codes.joined(separator: ", ")))"
    let rest = [
      (unvisitedCount, "kept (not found)"), (missingCount, "dropped (not found)"),
      (otherShardCount, "dropped (other shards)"),
    ]
    return "\(encodedCount) encoded" + (reusedCount > 0 ? ", \(reusedCount) reused" : "")
      + ", \(failedCount) failed\(reasons)"
      + rest.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined() + skippedText
      + (signal == nil ? "" : ", partial")
  }

  /// The kinds of skipped files, most frequent first.
  private var skippedFiles: [(kind: Finding.Skip, files: FileCount)] {
    skipped.map { ($0, $1) }.sorted {
      ($1.files.count, "\($0.kind)") < ($0.files.count, "\($1.kind)")
    }
  }

  /// Example paths of the skipped files, a text for each kind.
  var skippedPaths: [String] { skippedFiles.map { "skipped (\($0.kind)): \($0.files.text)" } }

  /// The number of skipped files by kind, after a comma; empty if there are none.
  var skippedText: String {
    let parts = skippedFiles.map { "\($0.files.count) \($0.kind)" }
    let count = skipped.values.map(\.count).reduce(0, +)
    return count == 0 ? "" : ", \(count) skipped (\(parts.joined(separator: ", ")))"
  }
}
