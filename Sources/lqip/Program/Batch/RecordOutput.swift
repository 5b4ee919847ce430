import LqipOptions
import LqipRecords
import LqipSystem

/// Writes the records of a batch in source order.
///
/// The only state of a batch is its sorted NDJSON file with stamps. After a failure, the draft `.FILE.part`
/// remains, and the next update begins by merging the records of the draft into FILE.
final class RecordOutput {
  private let encoding: EncodingOptions
  private let update: UpdateOptions
  private let destination: OutputDestination
  private let layout: RecordLayout
  private var output: OutputFile?
  private var previousFile: FileDescriptor?
  private var isEmpty = true
  /// The keys written to a JSON object; `nil` in other formats, or if paths cannot repeat.
  private var keys: Set<FilePath>?

  /// Opens the output of a run with the given options; an update requires a file.
  init(_ encoding: EncodingOptions, _ update: UpdateOptions) throws(CommandError) {
    let records = encoding.records
    self.encoding = encoding
    self.update = update
    layout = records.layout
    keys = layout.format == .json && encoding.pathsMayRepeat ? [] : nil
    destination = try records.output.destination(apartFrom: encoding.inputs, layout.isOutput)
    guard destination.file != nil || !update.isOn else {
      throw .usage("--update requires -o FILE, a regular file")
    }
    var recover: ((Int32) throws(CommandError) -> Void)?
    if let file = destination.file, records.isUpdatable {
      recover = { draft throws(CommandError) in
        if update.isOn { try Self.mergeDraft(draft, into: file, isQuiet: encoding.isQuiet) }
      }
    }
    var output = try OutputFile(destination, recover: recover)
    if update.isOn { previousFile = try output.openPrevious() }
    try output.write(layout.opening)
    self.output = consume output
  }

  /// The earlier output to update; `nil` if the run is not an update.
  var previous: PreviousOutput? {
    guard update.isOn else { return nil }
    return PreviousOutput(
      descriptor: previousFile?.number, name: "\(destination)",
      settings: Array(encoding.stampedSettings.utf8), options: update, shard: encoding.walk.shard)
  }

  /// Whether the output is a file that a later run can update.
  var isUpdatable: Bool {
    destination.file != nil && encoding.records.isUpdatable
  }

  var isTerminal: Bool {
    output?.isTerminal ?? false
  }

  func write(_ event: BatchEvent) throws(CommandError) {
    switch event.output {
    case .nothing: break
    case .entry(let entry):
      // Keys in a JSON object are unique; the first record for a path wins.
      guard keys?.insert(event.path).inserted ?? true else { return }
      try output?.write(layout.element(entry, isFirst: isEmpty))
      isEmpty = false
    case .previous(let bounds): try output?.copy(bounds)
    }
  }

  /// Commits the output, or keeps the finished records for a later run; corrects the counts if nothing is dropped.
  func finish(_ summary: inout BatchSummary) throws(CommandError) {
    let isFile = destination.file != nil
    if summary.signal != nil, isFile {
      try endIncomplete()
      guard update.isOn else {
        return StandardError.print("interrupted: \(destination) is unchanged\(draftHint)")
      }
      return StandardError.print(
        "interrupted: \(destination) contains the records finished so far; run the command again to "
          + "continue")
    }
    if summary.endedEarly, update.isOn { return try endIncomplete() }
    if summary.foundNoImages, isFile {
      summary.keepAll()
      return try endIncomplete()
    }
    if update.prunes, let reason = reasonToKeep(summary) {
      StandardError.print("\(destination): nothing was pruned because \(reason)")
      summary.keepAll()
      summary.isInputIncomplete = true
      return try endIncomplete()
    }
    try output?.write(layout.closing(isEmpty: isEmpty))
    try output.take()?.commit()
  }

  /// Returns the reason to drop no records, if any.
  private func reasonToKeep(_ summary: BatchSummary) -> String? {
    if summary.isInputIncomplete { return "the input could not be listed completely" }
    let (count, total) = (summary.droppedCount, summary.earlierCount)
    guard !update.dropLimit.allows(count, of: total) else { return nil }
    return "\(count) of \(total) records would be dropped; to allow this, pass --max-drop=\(count)"
  }

  /// Ends an incomplete run; an update merges the draft into the output immediately.
  private func endIncomplete() throws(CommandError) {
    guard update.isOn, let file = destination.file else {
      return try output.take()?.abandon() ?? ()
    }
    let isQuiet = encoding.isQuiet
    try output.take()?.abandon { draft throws(CommandError) in
      try Self.mergeDraft(draft, into: file, isQuiet: isQuiet)
    }
  }

  /// A hint, for messages, about the draft that contains the finished records; empty without a draft.
  var draftHint: String {
    guard isUpdatable, let file = destination.file else { return "" }
    let draft = OutputFile.path(of: "part", beside: file)
    let status = try? FileStatus(of: draft, followsLinks: false)
    guard status?.byteCount ?? 0 > 0 else { return "" }
    return "; --update resumes from the finished records in \(draft)"
  }

  /// Merges a draft into the output that it would have replaced; the draft is a sorted prefix of a new output.
  private static func mergeDraft(
    _ draft: Int32, into path: FilePath, isQuiet: Bool
  ) throws(CommandError) {
    do throws(CommandError) {
      var merge = RecordMerge(
        announcing: isQuiet ? nil : "adding the finished records to \(path)")
      try merge.add(draft, named: "\(path)", damage: .ends)
      var isMissing = false
      do throws(SystemError) {
        _ = try FileStatus(of: path, followsLinks: true)
      } catch {
        isMissing = error == .notFound
      }
      // A missing output has no records. After any other error, `add` fails, so that no record is lost.
      let old =
        isMissing
        ? nil
        : try merge.add(
          CommandError.catching({ .input("\(path): cannot read: \($0)") }) {
            try FileDescriptor(opening: path, O_RDONLY)
          }, named: "\(path)", damage: .isSkipped)
      try OutputFile.rewrite(path) { output throws(CommandError) in
        while let (_, text) = try merge.next() {
          try output.write(text + "\n".utf8)
          // The draft is a prefix of an output, so the records that follow its last path are unchanged.
          if let rest = merge.rest, rest.file == old {
            return try output.copyRest(from: rest.offset)
          }
        }
      }
    } catch {
      if case .input(let text) = error { throw .output(text) }
      throw error
    }
  }
}
