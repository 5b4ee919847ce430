import LqipOptions
import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// Writes a record for each image in files and directories.
struct EncodeCommand: Command {
  var encoding = EncodingOptions()
  var update = UpdateOptions()
  /// Whether to read one image from standard input instead of paths.
  var readsImage = false

  static let text = CommandText(
    name: "encode",
    summary: "Generate placeholders for images",
    operand: EncodingOptions.operand,
    operandCompletion: .files,
    discussion: """
      The output is one JSON record per image, with its placeholders, dimensions and average color. If \
      a file cannot be decoded, its record contains an error, and the exit status is 1.

      \(EncodingOptions.pathDiscussion)
      """,
    examples: [
      "Encode all images in a directory": "lqip encode photos -o placeholders.ndjson",
      "Print the ThumbHash of an image": "lqip encode --text thumbhash photo.jpg",
      "Encode only new or modified images, for example from cron":
        "lqip encode --update photos -o placeholders.ndjson",
    ])

  static let groups: KeyValuePairs<String, [CommandOption<Self>]> = [
    "Output": (RecordOptions.outputTable + RecordOptions.layoutTable)
      .map { $0.lifted(to: \.encoding.records) }
      + [EncodingOptions.quietOption.lifted(to: \.encoding)],
    "Placeholders": EncodingOptions.placeholderTable.map { $0.lifted(to: \.encoding) },
    "Selection": [
      .flag("--stdin", { $0.readsImage = true }, help: "Read one image from standard input"),
      .value(
        "--tar", "FILE", { $0.encoding.tar = $1 }, .path,
        help: "Read images from the tar archive FILE",
        details: "The archive may be compressed with gzip, bzip2, xz or zstd. '-' is standard "
          + "input. Each hard link in the archive produces an error record."),
    ] + WalkOptions.table.map { $0.lifted(to: \.encoding.walk) },
    "Updating": UpdateOptions.table.map { $0.lifted(to: \.update) },
    "Limits": EncodingOptions.limitTable.map { $0.lifted(to: \.encoding) },
  ]

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    try encoding.take(operand)
  }

  func validate() throws(UsageError) {
    let records = encoding.records
    try records.validate()
    if let base = records.base,
      let stray = encoding.operands.first(where: {
        ($0 + "/x".utf8).relative(to: base) == nil
      })
    {
      throw .conflict("'\(stray)' is outside --relative-to '\(base)'")
    }
    guard update.isOn || !update.prunes else { throw .conflict("--prune requires --update") }
    guard update.isOn || !update.ignoresChangeTime else {
      throw .conflict("--ignore-ctime requires --update")
    }
    guard update.prunes || update.dropLimit == UpdateOptions().dropLimit else {
      throw .conflict("--max-drop requires --prune")
    }
    if readsImage {
      guard encoding.paths.isEmpty, encoding.tar == nil, !update.isOn else {
        throw .conflict("--stdin cannot be combined with PATH, --tar or --update")
      }
      guard records.text != nil || records.layout.format != .json else {
        throw .conflict("--stdin cannot be combined with a .json output, which is keyed by path")
      }
      guard encoding.walk == WalkOptions(), records.base == nil else {
        throw .conflict(
          "--stdin cannot be combined with --relative-to or options that select files")
      }
      return
    }
    try encoding.validate()
    guard update.isOn else { return }
    guard encoding.tar == nil else { throw .conflict("--update cannot be combined with --tar") }
    guard records.output.path == nil || records.isUpdatable else {
      throw .conflict(
        "--update requires NDJSON without --profile or --text; write other formats with "
          + "'lqip export'")
    }
  }

  private var plan: EncodingPlan { EncodingPlan(encoding) }

  func run() throws(CommandError) -> ExitStatus {
    if readsImage { return try encodeStandardInput() }
    if encoding.records.output.path == nil, !update.isOn, let path = encoding.onlyFile {
      return try encodeFile(path)
    }
    let workers = try plan.startWorkers()
    let signals = try EncodingPlan.observeSignals()
    let output = try RecordOutput(encoding, update)
    let layout = encoding.records.layout
    var encoder = encoding.fileEncoder
    if output.isUpdatable, encoding.tar == nil {
      encoder.stampedSettings = encoding.stampedSettings
    }
    var summary: BatchSummary
    do throws(CommandError) {
      summary = try plan.run(
        encoder, workers: workers, render: { layout.entry(for: $0) },
        updating: output.previous, until: signals,
        writesToTerminal: output.isTerminal, receive: output.write)
      if !summary.isOutputClosed { try output.finish(&summary) }
    } catch {
      guard case .output(let message) = error else { throw error }
      throw .output(message + output.draftHint)
    }
    return summary.report()
  }

  private func encodeStandardInput() throws(CommandError) -> ExitStatus {
    let layout = encoding.records.layout
    let destination = try encoding.records.output.destination(layout.isOutput)
    let deadlines = plan.deadlines
    let bytes = try CommandError.catching({ .input("standard input: cannot read: \($0)") }) {
      try StandardInput.bytes(
        upTo: encoding.limits.byteCount + 1, stall: deadlines.stall, wall: deadlines.wall)
    }
    var output = try OutputFile(destination)
    let encoder = encoding.fileEncoder
    var reply = EncodingResult.failed(RecordFailure(WorkerFailure.stalled))
    if let bytes = bytes?[...] {
      let task = encoder.task(byteCount: bytes.count)
      reply = try unsafe bytes.span.withUnsafeBytes { bytes throws(CommandError) in
        try unsafe plan.reply(to: task, .memory(bytes))
      }
    }
    let record = PlaceholderRecord(path: FilePath([]), outcome: reply)
    try output.write(layout.opening + layout.element(layout.entry(for: record), isFirst: true))
    try output.commit()
    guard let failure = record.failure else { return .success }
    StandardError.print("standard input: \(failure.message)")
    return .failure
  }

  /// Encodes one file to standard output, without the threads and processes of a batch.
  private func encodeFile(_ path: FilePath) throws(CommandError) -> ExitStatus {
    let layout = encoding.records.layout
    var output = try OutputFile(.standardOutput)
    let reporter = ProgressReporter(
      isQuiet: encoding.isQuiet, on: .current, sharesTerminal: output.isTerminal)
    let record = PlaceholderRecord(path: path, outcome: try reply(to: path))
    let entry = layout.entry(for: record)
    reporter.receive(BatchEvent(path, record, entry))
    reporter.stop()
    try output.write(layout.element(entry, isFirst: true))
    return reporter.result.report()
  }

  private func reply(to path: FilePath) throws(CommandError) -> EncodingResult {
    let file: RegularFile
    do {
      file = try FileEncoder.open(path, followsLinks: true)
    } catch {
      return .failed(error)
    }
    let task = encoding.fileEncoder.task(byteCount: file.status.byteCount)
    return try plan.reply(to: task, .file(file.descriptor.number))
  }
}
