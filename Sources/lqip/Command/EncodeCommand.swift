internal import LqipBatch
internal import LqipFiles
internal import LqipOptions
internal import LqipRecords
internal import LqipWorkers
internal import PlaceholderEncoding

/// Writes a record for each image among files and directories.
struct EncodeCommand: Command {
  var encoding = EncodingOptions()
  var records = RecordOptions()
  var update = UpdateOptions()
  /// Whether standard input is one image, in place of the paths.
  var readsImage = false

  static let name = "encode"
  static let summary = "Generate placeholders for images"
  static let operand = EncodingOptions.operand
  static let operandCompletion = Completion.files
  static let discussion = """
    Writes one JSON record per image: placeholders, size and average color. A file that cannot be \
    decoded gets an error record, and the exit status is 1.

    \(EncodingOptions.pathDiscussion)
    """

  static let details = """
    \(EncodingOptions.pathDetails)

    With --tar, there is no PATH: every file in the archive is encoded, in archive order. If \
    the archive turns out to be damaged, the records before the damage are written to standard \
    output and the command fails. With --stdin, there is no PATH and the record has no path.

    Records are sorted by path, byte by byte. An output FILE is replaced at the end of the run. \
    Finished records are also kept in a journal next to it, from which --update resumes after a \
    crash.

    SIGINT, SIGTERM and SIGHUP end the run early. With --update, the output then contains the \
    finished records and the earlier records of all other files. Without --update, an existing \
    output is left unchanged, unless --partial is set. Lines in an earlier output that are not \
    valid records are moved to FILE.rejected.

    A missing PATH counts as a failed image if it has an image extension, otherwise as a directory \
    that could not be listed.
    """

  static let groups: [OptionGroup<Self>] = [
    OptionGroup(
      "Output",
      RecordOptions.table.map { $0.lifted(to: \.records) } + [
        .flag(
          "--unordered", \.encoding.walk.isUnordered,
          help: "Write records as they finish, in constant memory",
          details: "Useful for huge directories, because their names need not be sorted. With "
            + "--update, the earlier records are kept in an in-memory index.")
      ] + EncodingOptions.progressTable.map { $0.lifted(to: \.encoding) }),
    OptionGroup(
      "Placeholders",
      [RecordOptions.kindsOption.lifted(to: \.records)]
        + PlaceholderOptions.table.map { $0.lifted(to: \.encoding.placeholders) }),
    OptionGroup(
      "Selection",
      [
        .flag("--stdin", \.readsImage, help: "Read one image from standard input"),
        .value(
          "--tar", "FILE", \.encoding.tar, .path,
          help: "Read the images in a tar archive",
          details: "The archive may be compressed with gzip, bzip2, xz or zstd. '-' is standard "
            + "input. A hard link gets the record of its target if that is among the 16384 entries "
            + "before it."),
      ] + EncodingOptions.selectionTable.map { $0.lifted(to: \.encoding) }),
    OptionGroup("Updating", UpdateOptions.table.map { $0.lifted(to: \.update) }),
    OptionGroup("Limits", EncodingOptions.limitTable.map { $0.lifted(to: \.encoding) }),
  ]

  static let basics = ["--output", "--kinds", "--text", "--update", "--include", "--jobs"]

  static let examples = [
    CommandExample(
      purpose: "Write a record for each image in a directory",
      line: "lqip encode photos -o placeholders.ndjson"),
    CommandExample(
      purpose: "Print the ThumbHash of an image", line: "lqip encode --text thumbhash photo.jpg"),
    CommandExample(
      purpose: "Encode only new or modified images, for example from cron",
      line: "lqip encode --update photos -o placeholders.ndjson"),
  ]

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    let path = try operand.path(for: "PATH")
    try CommandAdvice.check(operand, of: Self.name)
    encoding.paths.append(path)
  }

  func validate() throws(UsageError) {
    try records.validate()
    try update.validate()
    if let base = records.base,
      let stray = encoding.operands.first(where: { !$0.isRelated(to: base) })
    {
      throw .conflict("'\(stray)' is outside --base '\(base)'")
    }
    if let stray = encoding.operands.first(where: records.layout().lacksURL) {
      throw .conflict(
        "'\(stray)' is outside the current directory, so '--profile \(records.profile.rawValue)' "
          + "cannot derive its URL; pass --base with your web root")
    }
    if readsImage {
      guard encoding.paths.isEmpty, encoding.tar == nil, !update.isOn else {
        throw .conflict("--stdin cannot be combined with PATH, --tar or --update")
      }
      guard !update.writesPartial else { throw .conflict("--partial requires -o FILE") }
      guard records.chosenFormat != .json else {
        throw .conflict("--stdin cannot be combined with --format json, which is keyed by path")
      }
      guard encoding.walk == WalkOptions(), !encoding.endsWithZero, records.base == nil else {
        throw .conflict(
          "--stdin cannot be combined with --base, --null or options that select files")
      }
      guard records.summary == nil else {
        throw .conflict("--stdin cannot be combined with --summary")
      }
      return
    }
    try encoding.validate()
    if encoding.walk.isUnordered, records.text != nil {
      throw .conflict(
        "--text cannot be combined with --unordered, because lines are matched to images by order")
    }
    if update.isOn, records.text != nil || records.base != nil {
      throw .conflict(
        "--update cannot be combined with --text or --base, because it matches records to files "
          + "by path")
    }
    guard encoding.tar == nil || !update.isOn else {
      throw .conflict("--update cannot be combined with --tar")
    }
  }

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    if readsImage { return try encodeStandardInput() }
    let workers = try encoding.startWorkers()
    let signals = try EncodingOptions.listen()
    var encoding = encoding
    encoding.kinds = records.chosenKinds
    let summaryDestination = try summaryDestination
    let output = try RecordOutput(records, update, encoding.input, until: signals)
    var encoder = encoding.fileEncoder
    encoder.digests = output.layout.needsDigest
    encoder.stamps = output.stamps
    var summary: BatchSummary
    do throws(CommandError) {
      summary = try encoding.run(
        encoder, workers: workers, render: { [layout = output.layout] in layout.entry(for: $0) },
        layout: output.layout, until: signals, reusing: output.previous,
        writesToTerminal: output.isTerminal, finished: output.note, receive: output.write)
      if !summary.isOutputClosed { try output.finish(&summary) }
    } catch {
      throw error.adding(output.whereWorkIs)
    }
    let status = summary.report()
    if let summaryDestination {
      var file = try OutputFile(summaryDestination)
      try file.write(summary.json.bytes + "\n".utf8)
      try file.commit()
    }
    return status
  }

  /// Writes the record of the image that standard input is.
  private func encodeStandardInput() throws(CommandError) -> ExitStatus {
    let layout = records.layout()
    let destination = try OutputDestination(records.output)
    try destination.checkOverwriting(force: records.overwrites) {
      RecordForm.isOutput($0, like: records.fields)
    }
    var encoder = FileEncoder(encoding.placeholders, encoding.limits, kinds: records.chosenKinds)
    encoder.digests = layout.needsDigest
    let bytes: ArraySlice<UInt8>
    do {
      bytes = try StandardInput.bytes(upTo: encoding.limits.byteCount + 1)[...]
    } catch {
      throw .input("standard input: cannot read: \(error)")
    }
    let record = try encoding.record(of: bytes.span, by: encoder)
    var writer = RecordWriter(layout, pathsMayRepeat: false)
    var output = try OutputFile(destination)
    try output.write(
      writer.opening + writer.bytes(entry: layout.entry(for: record)) + writer.closing)
    try output.commit()
    guard let failure = record.failure else { return .success }
    StandardError.print("standard input: \(failure.message)")
    return .failure
  }

  /// Where the counts go; that they can be written there is checked before the work begins.
  private var summaryDestination: OutputDestination? {
    get throws(CommandError) {
      guard let path = records.summary else { return nil }
      let destination = try OutputDestination(path)
      try destination.checkOverwriting(
        force: records.overwrites, apartFrom: encoding.inputs, BatchSummary.isOutput)
      // The draft goes at once, so that no signal leaves it; to open a pipe might wait for its reader.
      if destination.file != nil { _ = try OutputFile(destination) }
      return destination
    }
  }
}
