import LqipSystem
import LqipRecords

/// Writes the records of a batch in their order.
///
/// A sorted NDJSON file with stamps is the only state of a batch: its draft, `.FILE.part`, stays after a
/// failure, and the next update takes up its records before it begins.
final class RecordOutput {
  private let options: RecordOptions
  private let update: UpdateOptions
  private let destination: OutputDestination
  private let shard: Shard?
  private let layout: RecordLayout
  private var output: OutputFile?
  private var old: FileDescriptor?
  private var isEmpty = true
  /// The keys of an object, where a path may come twice.
  private var keys: Set<FilePath>?

  /// Opens the output.
  ///
  /// - Parameters:
  ///   - options: Where records go and what they look like.
  ///   - update: The treatment of the records that are there.
  ///   - inputs: The files and directories that are read, which are never replaced.
  ///   - shard: The part of all images that this run encodes.
  ///   - pathsMayRepeat: Whether the same path may come twice.
  /// - Throws: That the output cannot be read or written.
  init(
    _ options: RecordOptions, _ update: UpdateOptions = UpdateOptions(), inputs: [FilePath],
    shard: Shard? = nil, pathsMayRepeat: Bool = false
  ) throws(CommandError) {
    self.options = options
    self.update = update
    self.shard = shard
    layout = options.layout
    keys = layout.format == .json && pathsMayRepeat ? [] : nil
    destination = try options.output.destination(apartFrom: inputs, RecordLayout.isOutput)
    guard destination.file != nil || !update.isOn else {
      throw .usage("--update requires -o FILE")
    }
    let recover: ((Int32) throws(CommandError) -> Void)?
    if let file = destination.file, options.isUpdatable {
      recover = { draft throws(CommandError) in
        if update.isOn { try Self.fold(draft, into: file) }
      }
    } else {
      recover = nil
    }
    var output = try OutputFile(destination, recover: recover)
    if update.isOn { old = try output.openOld() }
    try output.write(layout.opening)
    self.output = consume output
  }

  /// The earlier output, or that there is none yet, for an update.
  ///
  /// - Parameter settings: The settings that records are stamped with.
  /// - Returns: The earlier output; `nil` for a run that updates none.
  func previous(settings: String) -> PreviousOutput? {
    guard update.isOn else { return nil }
    return PreviousOutput(
      descriptor: old?.number, name: "\(destination)", settings: Array(settings.utf8),
      prunes: update.prunes, shard: shard)
  }

  /// Whether a later run can reuse the records, which are then stamped.
  var isUpdatable: Bool {
    destination.file != nil && options.isUpdatable
  }

  /// Whether people see the records as they are written.
  var isTerminal: Bool {
    output?.isTerminal ?? false
  }

  /// Writes what has its turn.
  func write(_ event: BatchEvent) throws(CommandError) {
    switch event.output {
    case .nothing: break
    case .entry(let entry):
      // The keys of an object are unique.
      guard keys?.insert(event.path).inserted ?? true else { return }
      try output?.write(layout.element(entry, isFirst: isEmpty))
      isEmpty = false
    case .old(let bounds): try output?.copy(bounds)
    }
  }

  /// Puts the output in its place, or keeps the finished records for a later run.
  ///
  /// - Parameter summary: The counts, which say how the batch ended.
  /// - Throws: That the output cannot be written.
  func finish(_ summary: inout BatchSummary) throws(CommandError) {
    let isFile = destination.file != nil
    if summary.signal != nil, isFile {
      try takeUp()
      guard update.isOn else {
        return StandardError.print("interrupted: \(destination) is unchanged\(whereWorkIs)")
      }
      return StandardError.print(
        "interrupted: \(destination) contains the records finished so far; run the command again to "
          + "continue")
    }
    if summary.endedEarly, update.isOn { return try takeUp() }
    if summary.hasNothing, isFile {
      summary.keepAll()
      return try takeUp()
    }
    if update.prunes, summary.isInputIncomplete {
      StandardError.print(
        "\(destination): nothing pruned, because the input could not be listed completely")
      summary.keepAll()
      return try takeUp()
    }
    try output?.write(layout.closing(isEmpty: isEmpty))
    try output.take()?.commit()
  }

  /// Ends without a whole output: an update takes up the draft at once.
  private func takeUp() throws(CommandError) {
    guard update.isOn, let file = destination.file else {
      return try output.take()?.abandon() ?? ()
    }
    try output.take()?.abandon { draft throws(CommandError) in try Self.fold(draft, into: file) }
  }

  /// Where to find the finished records of a run that did not reach its end, as the rest of a sentence.
  var whereWorkIs: String {
    guard isUpdatable, let file = destination.file else { return "" }
    let draft = OutputFile.path(of: "part", beside: file)
    let status = try? FileStatus(of: draft, followsLinks: false)
    guard status?.byteCount ?? 0 > 0 else { return "" }
    return "; --update resumes from the finished records in \(draft)"
  }

  /// Merges a draft, a sorted prefix of an output, into the output that it was to replace.
  private static func fold(_ draft: Int32, into path: FilePath) throws(CommandError) {
    do throws(CommandError) {
      var merge = RecordMerge()
      try merge.add(draft, named: "\(path)", isDraft: true)
      if (try? FileStatus(of: path, followsLinks: true)) != nil { try merge.add(path) }
      try OutputFile.rewrite(path) { () throws(CommandError) in
        try merge.next().map { $0.text + "\n".utf8 }
      }
    } catch {
      if case .input(let text) = error { throw .output(text) }
      throw error
    }
  }
}

/// The treatment of the records of an earlier run.
struct UpdateOptions: Hashable, Sendable {
  var isOn = false
  /// Whether records that this run did not visit are dropped.
  var prunes = false

  init() {}

  /// The rows for the tables of the commands.
  static let table: [CommandOption<Self>] = [
    .flag(
      "--update", \.isOn,
      help: "Encode only new or modified files",
      details:
        "FILE must be NDJSON. A record is reused if the settings and the file's size, modification "
        + "time and change time are unchanged. Records of files that this run did not find are "
        + "kept. A good record is kept if encoding the file again fails with a transient error."),
    .flag(
      "--prune", \.prunes,
      help: "Drop records of missing or unselected files",
      details:
        "Requires --update. Nothing is dropped if a directory could not be listed or no image was found; the "
        + "exit status is then 4."),
  ]
}
