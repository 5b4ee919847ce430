import LqipRecords
import LqipSystem

/// The earlier output that a run updates.
struct PreviousOutput: Sendable {
  /// The descriptor of the sorted NDJSON file, which is only read; `nil` if no file exists yet.
  let descriptor: Int32?
  /// The name of the file in messages.
  let name: String
  let settings: [UInt8]
  let options: UpdateOptions
  let shard: Shard?
}

/// Merges the findings of a source with the records of an earlier output, both in byte order of their paths.
///
/// Keeps only one earlier record in memory at a time.
struct RecordMatcher {
  /// An item of the merged sequence: a finding, or an event about earlier records.
  struct Item: Sendable {
    enum State: Sendable {
      /// The image is not encoded yet.
      case waiting(Finding)
      /// The event can be delivered; it is `nil` for a file that is ignored.
      case done(BatchEvent?)
    }

    let path: FilePath
    /// The path in the record.
    let name: FilePath
    /// The outdated record of the file, which is kept after a transient error.
    let earlier: RecordReader.Record?
    /// The fraction of the input that precedes the item.
    var fraction: Double?
    var state: State

    init(_ finding: Finding, name: FilePath, earlier: RecordReader.Record? = nil) {
      (path, self.name, self.earlier, state) = (finding.path, name, earlier, .waiting(finding))
    }

    init(_ event: BatchEvent) {
      (path, name, earlier, state) = (event.path, event.path, nil, .done(event))
    }
  }

  typealias Receiver = (Item) throws(CommandError) -> Void

  /// Consecutive earlier records with the same outcome.
  private struct Run {
    enum Kind { case reused, unvisited, dropped, otherShard }

    let kind: Kind
    var bounds: Range<Int>
    var path: FilePath
    var count = 0
    var failures: [(path: FilePath, code: RecordFailure.Code)] = []

    init(_ kind: Kind, from record: RecordReader.Record) {
      (self.kind, bounds, path) = (kind, record.bounds, record.path)
      add(record)
    }

    mutating func add(_ record: RecordReader.Record) {
      bounds = bounds.lowerBound..<record.bounds.upperBound
      path = record.path
      count += 1
      if let code = record.failure { failures.append((path, code)) }
    }

    var event: BatchEvent {
      switch kind {
      case .reused: BatchEvent(path, .reused(count: count, failures: failures), .previous(bounds))
      case .unvisited: BatchEvent(path, .unvisited(count: count), .previous(bounds))
      case .dropped, .otherShard:
        BatchEvent(path, .dropped(count: count, isOtherShard: kind == .otherShard))
      }
    }
  }

  /// The maximum number of records in a ``Run``.
  private static let runLimit = 1024

  /// The earlier output; `nil` to encode everything.
  private let previous: PreviousOutput?
  /// The directory that paths in records are relative to; `nil` to record paths as given.
  private let base: FilePath?
  private let activity: InputActivity
  private var reader: RecordReader?
  private var next: RecordReader.Record?
  private var run: Run?
  private var last: FilePath?
  /// The last directory that vanished or was skipped, with a slash; the records below it are kept.
  private var skipped: FilePath?

  init(
    _ previous: PreviousOutput?, relativeTo base: FilePath?,
    _ activity: InputActivity = InputActivity()
  ) throws(CommandError) {
    self.previous = previous
    self.base = base
    self.activity = activity
    reader = previous.flatMap { previous in
      previous.descriptor.map { RecordReader($0, name: previous.name, damage: .isSkipped) }
    }
    try advance()
  }

  /// Merges a finding, after the earlier records that precede it, and passes the resulting items to `add`.
  ///
  /// An error from `add` ends the merge. Findings that are not in byte order are an error.
  mutating func take(_ finding: Finding, _ add: Receiver) throws(CommandError) {
    let path = finding.path
    switch finding {
    case .file, .content: break
    case .skipped(_, .vanished), .skipped(_, .unreadable):
      let directory = (base.flatMap { path.relative(to: $0) } ?? path) + "/".utf8
      try addRecords(before: directory, add)
      skipped = directory
      return try flush(add, then: Item(finding, name: path))
    case .unlisted, .skipped:
      return try flush(add, then: Item(finding, name: path))
    }
    guard let name = base.map({ path.relative(to: $0) }) ?? path else {
      let failure = RecordFailure(.unreadable, "outside --relative-to \(base ?? path)")
      return try flush(add, then: Item(.unlisted(path, failure), name: path))
    }
    guard let previous else { return try add(Item(finding, name: name)) }
    if let last, !last.precedes(name) {
      guard last != name else { return }
      throw .input(
        "'\(name)' comes after '\(last)', but --update requires paths in byte order; sort the list with "
          + "'LC_ALL=C sort' (-z for NUL-terminated paths), and pass each directory only once")
    }
    last = name
    try addRecords(before: name, add)
    guard let record = next, record.path == name else {
      return try flush(add, then: Item(finding, name: name))
    }
    if isCurrent(finding, previous) {
      try append(record, .reused, add)
    } else {
      try flush(add, then: Item(finding, name: name, earlier: record))
    }
    try advance()
  }

  /// Merges the remaining earlier records.
  mutating func finish(_ add: Receiver) throws(CommandError) {
    try addRecords(before: nil, add)
    try flush(add)
  }

  /// Returns whether the record in `next` is still valid for the file and the settings of this run.
  private func isCurrent(_ finding: Finding, _ previous: PreviousOutput) -> Bool {
    guard case .file(let file) = finding, let reader,
      let status = activity.perform(
        on: file.path, { try? FileStatus(of: file.path, followsLinks: file.followsLinks) }),
      status.kind == .regular
    else { return false }
    let changed = previous.options.ignoresChangeTime ? reader.changeTime : nil
    return reader.ends(
      in: RecordStamp.lineEnd(of: status, changed: changed, settings: previous.settings))
  }

  private mutating func addRecords(
    before name: FilePath?, _ add: Receiver
  ) throws(CommandError) {
    while let record = next, name.map({ record.path.precedes($0) }) ?? true {
      var kind = Run.Kind.unvisited
      if let previous, previous.options.prunes,
        !(skipped.map { record.path.bytes.starts(with: $0.bytes) } ?? false)
      {
        kind = previous.shard?.contains(record.path) ?? true ? .dropped : .otherShard
      }
      try append(record, kind, add)
      try advance()
    }
  }

  private mutating func append(
    _ record: RecordReader.Record, _ kind: Run.Kind, _ add: Receiver
  ) throws(CommandError) {
    if run?.kind == kind, run?.count ?? 0 < Self.runLimit {
      run?.add(record)
    } else {
      try flush(add)
      run = Run(kind, from: record)
    }
  }

  /// Passes the current run to `add`, then an item.
  private mutating func flush(_ add: Receiver, then item: Item? = nil) throws(CommandError) {
    if let event = run?.event {
      run = nil
      try add(Item(event))
    }
    if let item { try add(item) }
  }

  private mutating func advance() throws(CommandError) {
    do {
      next = try reader?.next()
    } catch {
      throw .output("\(error.message); encode without --update to replace it")
    }
  }
}
