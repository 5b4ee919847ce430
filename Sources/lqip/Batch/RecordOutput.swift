package import LqipFiles
package import LqipRecords

/// Writes the records of a batch in their order, and sees to it that none is ever made twice or lost.
///
/// An output file is replaced at the end. Until then a journal beside it has the records that are
/// new. Records of earlier runs that this one did not come across are written too; those whose files
/// turn out to be gone are cut out at the very end, when nothing can go wrong with the input any more.
@MainActor
package final class RecordOutput {
  /// What earlier runs left; nil if that is not to be used.
  package let previous: PreviousRecords?
  /// How records are to be stamped; nil for not at all.
  package let stamps: RecordStamp.Style?
  package let layout: RecordLayout

  let destination: OutputDestination
  private let update: UpdateOptions
  private let signals: SignalObserver?
  /// Whether paths come in the order of their bytes.
  private let isOrdered: Bool
  private var coverage: InputCoverage
  private var writer: RecordWriter
  private var output: OutputFile?
  let journal: Journal?
  /// The records in the output whose files seem to be gone.
  private var gone: [Range<Int>] = []
  private var goneCount = 0
  private var dropped: Tally = Tally()
  /// How many records are of this run.
  private(set) var newCount = 0
  /// Whether there was anything that could be listed.
  private var hasRecords = false
  /// The path of the last record that was written, where paths come in order.
  private var lastPath: FilePath?
  /// The file that is replaced, where it is no output and so might be an image.
  private var replaced: FileStatus.Identity?

  /// Opens the output and everything beside it.
  ///
  /// - Parameters:
  ///   - options: Where records go and what they look like.
  ///   - update: What becomes of those that are there.
  ///   - input: What is encoded and how.
  ///   - signals: Who may end the work early.
  /// - Throws: What is wrong with the options, or that the output cannot be read or written.
  package init(
    _ options: RecordOptions, _ update: UpdateOptions, _ input: BatchInput,
    until signals: SignalObserver? = nil
  ) throws(CommandError) {
    destination = try OutputDestination(options.output)
    let file = destination.file
    guard file != nil || !update.isOn else {
      throw .usage("--update requires -o FILE")
    }
    guard file != nil || !update.writesPartial else {
      throw .usage("--partial requires -o FILE")
    }
    let isForced = try destination.checkOverwriting(
      force: options.overwrites, apartFrom: input.names
    ) {
      RecordForm.isOutput($0, like: options.fields)
    }
    if isForced, case .file(_, let status?) = destination { replaced = status.identity }
    let hasStamps = file != nil && input.isOfFiles && (update.isOn || options.isComplete)
    layout = options.layout(stamps: hasStamps, digests: update.comparesContent)
    stamps =
      hasStamps
      ? RecordStamp.Style(
        settings: input.settings + layout.settings, limits: input.limits,
        comparesContent: update.comparesContent) : nil
    self.update = update
    self.signals = signals
    isOrdered = input.isOrdered
    coverage = InputCoverage(allowsEmpty: input.allowsEmpty, readsList: input.readsList)
    writer = RecordWriter(layout, pathsMayRepeat: input.pathsMayRepeat)
    // Without stamps nothing is written to it: it is then the lock of the output.
    let journal: Journal? =
      if case .file(let path, let before) = destination {
        try Journal(for: path, like: before)
      } else { nil }
    self.journal = journal
    let draft = file.map { OutputFile.path(of: "draft", beside: $0) }
    signals?.exitOnSignal { [path = journal?.path] in
      if let path { Journal.removeIfEmpty(path) }
      if let draft { OutputFile.remove(draft) }
    }
    defer { signals?.onSignal(nil) }
    // What might be an image is looked for among the files, one by one.
    previous = try Self.previous(
      update, file, journal?.descriptor.number, layout, stamps,
      inOrder: input.isOrdered && replaced == nil)
    // What a killed run has done stays until this one has something to put in its place.
    if stamps != nil { try journal?.resume(after: previous?.journalEnd ?? 0) }
    var output = try OutputFile(destination, draft: draft)
    try output.write(writer.opening)
    self.output = consume output
  }

  /// Whether people see the records as they are written.
  package var isTerminal: Bool {
    output?.isTerminal ?? false
  }

  /// Writes down a record as soon as it is made.
  package func note(_ record: PlaceholderRecord, _ entry: [UInt8]) throws(CommandError) {
    guard let journal, record.stamp != nil else { return }
    let isLine = layout.form == Journal.form
    try journal.write((isLine ? entry : layout.lines.entry(for: record)) + "\n".utf8)
  }

  /// Writes what has its turn.
  package func write(_ event: BatchEncoder.Event) throws(CommandError) {
    coverage.note(event)
    switch event {
    case .record(let record, let entry):
      hasRecords = true
      newCount += 1
      try write(entry, record.path)
    case .reused(let entry), .kept(let entry, _):
      hasRecords = true
      try write(entry.bytes, entry.key.path)
    case .reusedRun(let run):
      (hasRecords, lastPath) = (true, run.path)
      try output?.write(writer.bytes(entry: run.bytes, of: run.count))
    case .unvisited(let entries):
      for entry in entries { try takeUnvisited(entry) }
    case .unlisted(let path, _, let entry):
      // To an output that is kept up to date it would be one more loss.
      if !update.isOn { try write(entry, path) }
    case .entered, .noImages, .emptyList, .skipped: break
    }
  }

  /// Puts the output in its place, and tells what became of the records of earlier runs.
  ///
  /// What an interrupted run did not come to stays as it was.
  package func finish(_ summary: inout BatchSummary) throws(CommandError) {
    let isInterrupted = summary.signal != nil
    if journal != nil, isInterrupted, !update.isOn, !update.writesPartial {
      return tellOldOutputStays()
    }
    if !hasRecords, summary.isInputIncomplete, destination.hasContent, previous == nil {
      if isJournalSpent(by: summary) { journal?.remove() }
      return StandardError.print(
        "\(destination): unchanged, because the input could not be listed completely")
    }
    // All that is left to do can be done again from what is there.
    let draft = output?.draft
    if !isInterrupted {
      signals?.exitOnSignal { [path = journal?.path] in
        if let path { Journal.removeIfEmpty(path) }
        if let draft { OutputFile.remove(draft) }
      }
    }
    defer { signals?.onSignal(nil) }
    if isInterrupted { try takeAll(before: nil) } else { try takeUnvisited(before: nil) }
    let removed = drop(isInterrupted, &summary)
    try output?.write(writer.closing)
    try setAside()
    try output.take()?.commit(removing: removed)
    if !isInterrupted, let reason = previous?.reasonForNone {
      StandardError.print("no earlier record could be reused: \(reason)")
    }
    if isJournalSpent(by: summary) { journal?.remove() }
    if isInterrupted, let whatIsDone { StandardError.print(whatIsDone) }
  }

  /// Decides on the records whose files seem to be gone, and gives the parts of the output to cut.
  private func drop(_ isInterrupted: Bool, _ summary: inout BatchSummary) -> [Range<Int>] {
    guard goneCount > 0, !isInterrupted, coverage.hasPlaces else { return [] }
    guard coverage.isWhole else {
      summary.keepMissing(goneCount, because: "the input could not be read completely")
      return []
    }
    if let limit = update.deletionLimit, !limit.allows(goneCount, of: previous?.count ?? 0) {
      summary.keepMissing(goneCount, because: "dropping them would exceed --max-delete \(limit)")
      summary.isOutputIncomplete = true
      return []
    }
    summary.dropped = dropped
    return writer.cuts(gone, isAll: goneCount == writer.count)
  }

  /// Writes the records that an interrupted run did not come to, many at a time.
  private func takeRest(before path: FilePath?) throws(CommandError) {
    guard !writer.remembersPaths, let previous else { return }
    let write: ([UInt8]) throws(CommandError) -> Void = { bytes throws(CommandError) in
      try self.output?.write(self.writer.bytes(entry: bytes))
    }
    if previous.isMerged {
      try previous.takeRest(after: lastPath, receive: write)
    } else {
      try previous.takeRest(before: path, receive: write)
    }
  }

  /// Writes the records of the earlier output that come before a path and have no file in this run.
  private func takeUnvisited(before path: FilePath?) throws(CommandError) {
    try previous?.takeUnvisited(before: path, until: { isInterrupted }) {
      entry throws(CommandError) in
      try takeUnvisited(entry)
    }
    if isInterrupted { try takeAll(before: path) }
  }

  /// Writes all records that come before a path and are not written yet, whether their files are there or not.
  private func takeAll(before path: FilePath?) throws(CommandError) {
    try takeRest(before: path)
    try previous?.takeUnvisited(before: path, receive: takeUnvisited)
  }

  private var isInterrupted: Bool {
    signals?.received != nil
  }

  private func takeUnvisited(_ entry: RecordEntry) throws(CommandError) {
    let start = output?.byteCount ?? 0
    guard try add(entry.bytes, entry.key.path) else { return }
    guard !update.keepsMissing, coverage.isGone(entry.key.path) else { return }
    dropped.add(entry.key.path)
    goneCount += 1
    let end = output?.byteCount ?? 0
    if let last = gone.last, last.upperBound == start {
      gone[gone.count - 1] = last.lowerBound..<end
    } else {
      gone.append(start..<end)
    }
  }

  private func write(_ entry: [UInt8], _ path: FilePath) throws(CommandError) {
    if let replaced, (try? FileStatus(of: path, followsLinks: true))?.identity == replaced {
      throw destination.refusal
    }
    if isOrdered, !(previous?.isMerged ?? false) { try takeUnvisited(before: path) }
    _ = try add(entry, path)
  }

  /// Adds an entry, unless its path is a key that is there already.
  private func add(_ entry: [UInt8], _ path: FilePath) throws(CommandError) -> Bool {
    guard writer.admits(path) else { return false }
    lastPath = path
    try output?.write(writer.bytes(entry: entry))
    return true
  }
}
