package import LqipFiles
package import LqipRecords

/// The records of earlier runs: of the output that is to be replaced, and of a run that was killed.
///
/// Of each record only its place in the file is held; it is read when it is wanted. Nothing at all is
/// held of an output that has its records in the order in which files come: it is read in step with
/// them, by `RecordMerge`.
package final class PreviousRecords: Sendable {
  /// What the run has asked for so far.
  struct State {
    var isVisited: [Bool]
    /// The first record that `takeUnvisited` has not passed.
    var nextUnvisited = 0
    /// The same record, once it was read.
    var unvisited: (number: Int, entry: RecordEntry?)?
    /// The numbers of entries that turned out to be none when they were read.
    var malformed: [Int] = []
    /// Those that turned out so where they are not in the index.
    var rejections: [Rejection] = []
    var reusedCount = 0
    var reasons: [RecordReuse.Reason: Int] = [:]
  }

  let name: String
  private let outputFile: FileDescriptor?
  let output: Int32?
  let window: FileWindow?
  let form: RecordForm
  let journal: Int32?
  let layout: RecordLayout
  private let style: RecordStamp.Style
  let index: RecordIndex
  /// How many records are in the output.
  package let count: Int
  /// Whether the output is read in step with files, and only the journal's records are in the index.
  package let isMerged: Bool
  /// How many of the records in the index are in the output; the others are in the journal.
  let indexedCount: Int
  /// Where the last record in the journal ends, with its terminator, even if that is not there; 0 if there
  /// is no record.
  package let journalEnd: Int
  let rejections: [Rejection]
  let state: Monitor<State>

  /// Looks through the records of the output and of the journal, either of which may be nil.
  ///
  /// - Parameters:
  ///   - output: The output as it is.
  ///   - journal: The journal, which stays open.
  ///   - layout: What the records are to look like.
  ///   - style: What those look like that are to hold.
  ///   - isOrdered: Whether files come in the order of their paths, none of them twice.
  ///   - name: What errors call the output.
  /// - Throws: The system's error if one of them cannot be read.
  package init(
    output: consuming FileDescriptor?, journal: Int32?, _ layout: RecordLayout,
    _ style: RecordStamp.Style, inOrder isOrdered: Bool = false, named name: String = "the output"
  ) throws(SystemError) {
    self.name = name
    self.output = output?.number
    window = self.output.map { FileWindow($0) }
    self.journal = journal
    self.layout = layout
    self.style = style
    var index = RecordIndex()
    var rejections: [Rejection] = []
    var form = layout.form
    var mergedCount: Int?
    if let output = output?.number {
      let reader = try RecordReader(output)
      form = reader.form ?? form
      if isOrdered { mergedCount = try Self.count(reader, &rejections) }
      if mergedCount == nil {
        rejections = []
        try Self.read(reader, of: output, into: &index) { line, bounds in
          rejections.append(Rejection(line: line, bounds: bounds))
        }
      }
    }
    isMerged = mergedCount != nil
    count = mergedCount ?? index.count
    indexedCount = index.count
    var journalEnd = 0
    if let journal {
      try Self.read(RecordReader(journal), of: journal, into: &index) { _, _ in }
      if index.count > indexedCount {
        let last = index[index.count - 1]
        journalEnd = last.offset + last.byteCount + 1
      }
    }
    index.seal()
    outputFile = output
    self.form = form
    self.index = index
    self.journalEnd = journalEnd
    self.rejections = rejections
    state = Monitor(State(isVisited: [Bool](repeating: false, count: indexedCount)))
  }

  /// Tells what is known of a file without opening it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - merged: Its record in an output that is read in step with files.
  /// - Returns: Its record and what that is worth; nil if there is none.
  /// - Throws: That its record cannot be read.
  package func match(
    for path: FilePath, merging merged: RecordEntry? = nil
  ) throws(CommandError) -> Match? {
    let candidates = index.candidates(for: path)
    // Almost every file has one record, which holds.
    if candidates.isEmpty {
      guard let merged else { return nil }
      if let match = holding(merged, path, numbers: []) { return match }
    }
    let name = path.normalized
    if merged == nil, candidates.count == 1, let entry = try entry(candidates[0]),
      entry.key.path.normalized == name,
      let match = holding(entry, path, numbers: candidates.filter { $0 < indexedCount })
    {
      return match
    }
    var entries: [(number: Int, entry: RecordEntry)] = []
    for number in candidates {
      guard let entry = try entry(number), entry.key.path.normalized == name else { continue }
      entries.append((number, entry))
    }
    let numbers = entries.map(\.number).filter { $0 < indexedCount }
    // What a killed run has made is newer.
    let newest =
      (entries.filter { $0.number >= indexedCount } + entries.filter { $0.number < indexedCount })
      .map(\.entry) + (merged.map { [$0] } ?? [])
    guard let last = newest.last else { return nil }
    guard let status = try? FileStatus(of: path, followsLinks: true), status.kind == .regular else {
      return Match(entry: last, reuse: .isOutdated(.changed), numbers: numbers)
    }
    let verdicts = newest.map { $0.key.reuse(for: status, style) }
    for (entry, reuse) in zip(newest, verdicts) {
      if case .isOutdated = reuse { continue }
      let entry = reuse == .holds ? renamed(entry, path, status) : entry
      return Match(entry: entry, reuse: reuse, numbers: numbers)
    }
    // The newest good record is kept in case encoding fails.
    let good = newest.last { $0.key.failure == nil && $0.key.isPlausible }
    return Match(entry: good ?? last, reuse: verdicts[verdicts.count - 1], numbers: numbers)
  }

  private func holding(_ entry: RecordEntry, _ path: FilePath, numbers: [Int]) -> Match? {
    guard let status = try? FileStatus(of: path, followsLinks: true), status.kind == .regular,
      entry.key.reuse(for: status, style) == .holds
    else { return nil }
    return Match(entry: renamed(entry, path, status), reuse: .holds, numbers: numbers)
  }

  /// Marks the earlier records of a file as handled by this run.
  package func visit(_ match: Match) {
    state.withLock { state in
      for number in match.numbers { state.isVisited[number] = true }
      if case .isOutdated(let reason) = match.reuse {
        state.reasons[reason, default: 0] += 1
      } else {
        state.reusedCount += 1
      }
    }
  }

  /// Counts records that hold, of an output that is read in step with files.
  package func visit(_ run: RecordRun) {
    state.withLock { $0.reusedCount += run.count }
  }

  /// Why no record could be used again, if there were some to use; nil if one could.
  package var reasonForNone: String? {
    state.withLock { state in
      guard state.reusedCount == 0, !state.reasons.isEmpty else { return nil }
      let reasons = RecordReuse.Reason.allCases.compactMap { reason in
        state.reasons[reason].map { "\(reason) (\($0))" }
      }
      return reasons.joined(separator: ", ")
    }
  }

  /// The records of the output that no visited file has, the next first.
  ///
  /// - Parameters:
  ///   - path: The first path that is not passed; nil to go on to the end.
  ///   - isStopped: Whether to stop before that, asked before each record.
  ///   - receive: Is given each record.
  /// - Throws: What `receive` throws, or that the records cannot be read.
  package func takeUnvisited(
    before path: FilePath?, until isStopped: () -> Bool = { false },
    receive: (RecordEntry) throws(CommandError) -> Void
  ) throws(CommandError) {
    let limit = path?.normalized.bytes
    while !isStopped(), let (number, entry) = try nextUnvisited() {
      if let limit, let entry, !entry.key.path.normalized.bytes.lexicographicallyPrecedes(limit) {
        return
      }
      state.withLock { state in
        state.nextUnvisited = number + 1
        if entry == nil { state.malformed.append(number) }
      }
      if let entry { try receive(entry) }
    }
  }

  private func nextUnvisited() throws(CommandError) -> (number: Int, entry: RecordEntry?)? {
    let known = state.withLock { state in
      while state.nextUnvisited < indexedCount, state.isVisited[state.nextUnvisited] {
        state.nextUnvisited += 1
      }
      let number = state.nextUnvisited
      return state.unvisited?.number == number ? state.unvisited : (number, nil)
    }
    guard let known, known.number < indexedCount else { return nil }
    if known.entry != nil { return known }
    let next = (known.number, try entry(known.number))
    state.withLock { $0.unvisited = next }
    return next
  }

  /// An entry under the name that its file has in this run.
  private func renamed(_ entry: RecordEntry, _ path: FilePath, _ status: FileStatus) -> RecordEntry
  {
    guard entry.key.path != path else { return entry }
    let stamp = RecordStamp(status, style, failure: entry.key.failure)
    return entry.restamped(stamp, digest: nil, at: path, in: layout)
  }
}
