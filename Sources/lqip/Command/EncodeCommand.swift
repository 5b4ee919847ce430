internal import LqipBatch
internal import LqipFiles
internal import LqipOptions
internal import LqipRecords
internal import PlaceholderEncoding

/// Writes a record for each image among files and directories.
struct EncodeCommand: Command {
  var encoding = EncodingOptions()
  var records = RecordOptions()
  var update = UpdateOptions()
  /// Whether standard input is one image, in place of the paths.
  var readsImage = false

  static let name = "encode"
  static let summary = "Write the placeholders of images: BlurHash, LQIP, size and average color."
  static let operand = EncodingOptions.operand
  static let operandCompletion = Completion.files
  static let discussion = """
    \(EncodingOptions.pathDiscussion)

    With --tar there is no PATH: every file in the archive is encoded whatever its name, in the \
    archive's order. If the archive turns out to be damaged, the records of what came before are \
    written to standard output and the command fails.

    With --stdin there is no PATH either: standard input is one image, whose record has no path.

    Each image gives one record, in byte order of the paths; if it cannot be encoded, the record \
    says why.

    An output FILE is replaced at the end, and left alone if nothing in it changes. What is done \
    is also in a journal beside it, which the next --update reads. SIGINT, SIGTERM and SIGHUP end \
    the work early: with --update the output has what was done and what was there for the rest; \
    without it the old output stays, unless --partial. Lines of an old output that are no records are put \
    into FILE.rejected.

    The exit code is 0 if all were encoded, 1 if some images failed, 2 if the command line is \
    wrong, 3 if the output was not written or lacks something, 4 if what is to be encoded could \
    not be listed whole, 130, 143 or 129 after SIGINT, SIGTERM or SIGHUP, and 141 if the reader of \
    the output has closed it. A PATH that is not there is an image that failed if it is named \
    like one, or else a directory that could not be listed, since what was in it is unknown.
    """

  static let options: [CommandOption<Self>] =
    RecordOptions.table.map { $0.lifted(to: \.records) }
    + UpdateOptions.table.map { $0.lifted(to: \.update) } + [
      .value(
        "--tar", "FILE", \.encoding.tar, .path,
        help:
          "Encode the files in a tar archive, plain or compressed by gzip, bzip2, xz or zstd, in "
          + "place of PATH; '-' is standard input. A hard link has the record of the entry it leads "
          + "to, if that is among the 16384 before it."),
      .flag(
        "--unordered", \.encoding.walk.isUnordered,
        help: "Write records as they are done, not in the order of paths, and hold no more than "
          + "some names of a directory at a time; with --update, the earlier records are then held "
          + "in an index."),
      .flag("--stdin", \.readsImage, help: "Encode the one image that standard input is."),
    ]
    + EncodingOptions.table.map { $0.lifted(to: \.encoding) }

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    encoding.paths.append(try operand.path(for: "PATH"))
  }

  func validate() throws(UsageError) {
    try records.validate()
    try update.validate()
    if let base = records.base,
      let stray = encoding.operands.first(where: { !$0.isRelated(to: base) })
    {
      throw .conflict("--base is for what lies in \(base), which '\(stray)' does not")
    }
    if let stray = encoding.operands.first(where: records.layout().lacksURL) {
      throw .conflict(
        "'\(stray)' leads out of the site, so that '--profile \(records.profile.rawValue)' has no URLs; add "
          + "'--base DIRECTORY', where URLs begin")
    }
    if readsImage {
      guard encoding.paths.isEmpty, encoding.tar == nil, !update.isOn else {
        throw .conflict("--stdin takes the place of PATH, --tar and --update")
      }
      guard !update.writesPartial else { throw .conflict("--partial needs an output file") }
      guard records.chosenFormat != .json else {
        throw .conflict("--stdin has no path, which '--format json' needs as a key")
      }
      guard encoding.walk == WalkOptions(), !encoding.endsWithZero, records.base == nil else {
        throw .conflict("--stdin has no path to choose or shorten")
      }
      guard records.summary == nil else { throw .conflict("--stdin has no counts for --summary") }
      return
    }
    try encoding.validate()
    if encoding.walk.isUnordered, records.text != nil {
      throw .conflict(
        "--text cannot be used with --unordered: only the order of the lines tells which image "
          + "each belongs to")
    }
    if update.isOn, records.text != nil || records.base != nil {
      throw .conflict(
        "--update cannot be used with --text or --base: such records cannot be matched to files "
          + "again")
    }
    guard encoding.tar == nil || !update.isOn else {
      throw .conflict("--update cannot tell what has changed in --tar")
    }
  }

  @MainActor
  func run() throws(CommandError) -> ExitStatus {
    if readsImage { return try encodeStandardInput() }
    Memory.share(among: encoding.jobs)
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
        encoder, render: { [layout = output.layout] in layout.entry(for: $0) },
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
      throw .input("cannot read standard input: \(error)")
    }
    let record = encoder.record(of: bytes.span, at: FilePath([]))
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
