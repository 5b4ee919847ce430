internal import LqipBatch
internal import LqipFiles
internal import LqipOptions
internal import LqipRecords
internal import LqipWorkers
internal import PlaceholderEncoding

/// Which images to encode and how: what the commands over many images have in common.
struct EncodingOptions: Sendable {
  var paths: [FilePath] = []
  /// An archive in place of the paths.
  var tar: FilePath?
  var placeholders = PlaceholderOptions()
  /// What is made of each image.
  var kinds = PlaceholderEncoder.defaultKinds
  var limits = LimitOptions()
  var walk = WalkOptions()
  /// Whether each path on standard input ends in a zero byte.
  var endsWithZero = false
  /// The number of worker processes; nil for as many as keep the processors busy.
  var jobs: Int?
  var sandbox = Sandbox.Mode.auto
  var progress = ProgressMode.auto
  var progressInterval = Duration.seconds(5)
  var isQuiet = false
  /// Whether directories and lists without an image are what the user expects.
  var allowsEmpty = false

  static let operand = "PATH..."

  /// The paragraph of help on what paths stand for.
  static let pathDiscussion = """
    PATH is a file or a directory; '-' reads paths from standard input, one per line. Directories \
    are searched recursively for files with an image extension or signature.
    """

  /// The paragraph of the manual on the same.
  static let pathDetails = """
    A file passed as PATH is encoded whatever its name. In directories, files with the extension \
    .jpg, .jpeg, .jpe, .jfif, .png, .apng, .webp or .gif are encoded, and so is any other file \
    that starts with the signature of a supported format. Paths from standard input are read last.
    """

  /// The options on which images to encode.
  static let selectionTable: [CommandOption<Self>] =
    WalkOptions.table.map { $0.lifted(to: \.walk) } + [
      .flag(
        "--null", short: "0", \.endsWithZero,
        help: "Read NUL-terminated paths, as from 'find -print0'",
        details: "Applies to paths read from standard input."),
      .flag(
        "--allow-empty", \.allowsEmpty,
        help: "Accept input without images",
        details:
          "By default, a directory or list without images is an error, in case a disk is not "
          + "mounted."),
    ]

  /// The option on the walls around the processes that decode.
  static let sandboxOption: CommandOption<Sandbox.Mode> = .value(
    "--sandbox", "MODE", \.self, .choice,
    help: "Sandbox the decoders: auto (default), require or off",
    details:
      "'auto' uses seccomp and Landlock where the system supports them, 'require' fails without "
      + "seccomp, 'off' decodes in processes that are not sandboxed.")

  /// The options on what a run may use.
  static let limitTable: [CommandOption<Self>] =
    [
      .value(
        "--jobs", short: "j", "N", \.jobs, .integer(in: 1...1024),
        help: "Decode in N worker processes (default: all cores)",
        details:
          "N is at most 1024. By default, more workers run while some wait for reads, up to 8 per "
          + "core."),
      sandboxOption.lifted(to: \.sandbox),
    ] + LimitOptions.table.map { $0.lifted(to: \.limits) }

  /// The options on what is printed of a run.
  static let progressTable: [CommandOption<Self>] = [
    .value(
      "--progress", "WHEN", \.progress, .choice,
      help: "Show progress: auto (default), always or never",
      details:
        "'auto' shows progress and the summary on a terminal; elsewhere, only if the run takes "
        + "long or an image fails. 'never' prints only the summary."),
    .value(
      "--progress-interval", "SECONDS", \.progressInterval, .seconds,
      help: "Progress interval without a terminal (default: 5)",
      details: "At most 86400."),
    .flag("--quiet", short: "q", \.isQuiet, help: "Print errors only: no progress, no summary"),
  ]

  /// Refuses settings that do not fit together.
  func validate() throws(UsageError) {
    guard tar == nil else {
      guard paths.isEmpty else { throw .conflict("--tar cannot be combined with PATH") }
      return
    }
    guard !paths.isEmpty else { throw .missingOperand("PATH") }
    guard !endsWithZero || readsList else { throw .conflict("--null requires the path '-'") }
  }

  /// Whether paths come in the order of their bytes, none of them twice.
  var isOrdered: Bool {
    !pathsMayRepeat && !walk.isUnordered
  }

  /// Whether the same path may come twice.
  private var pathsMayRepeat: Bool {
    tar != nil || paths.count > 1 || readsList
  }

  /// The settings that make the same of the same image.
  var settings: [String] {
    placeholders.text
  }

  /// What the settings make of one file.
  var fileEncoder: FileEncoder {
    FileEncoder(placeholders, limits, kinds: kinds)
  }

  /// Encodes what the paths stand for, and hands on the records in the order of the paths.
  ///
  /// - Parameters:
  ///   - encoder: Encodes one file.
  ///   - workers: Where workers come from.
  ///   - render: Makes the bytes of a record.
  ///   - layout: What the output looks like, which has no place for some files, and how records of
  ///     earlier runs are written again.
  ///   - interruption: Who may end the work early.
  ///   - previous: The records of earlier runs.
  ///   - writesToTerminal: Whether records are shown on a terminal as they come.
  ///   - finished: Is given each new record as soon as there is one.
  ///   - receive: Is given the records, new and reused, in their order.
  /// - Returns: What became of the files.
  /// - Throws: That a list cannot be read, and what the functions throw.
  @MainActor
  func run(
    _ encoder: FileEncoder, workers: WorkerSupply,
    render: @escaping @Sendable (PlaceholderRecord) -> [UInt8],
    layout: RecordLayout = RecordLayout(.ndjson), until interruption: SignalObserver,
    reusing previous: PreviousRecords? = nil, writesToTerminal: Bool,
    finished: (PlaceholderRecord, [UInt8]) throws(CommandError) -> Void = { _, _ in },
    receive: (BatchEncoder.Event) throws(CommandError) -> Void
  ) throws(CommandError) -> BatchSummary {
    let reporter = ProgressReporter(
      progress, isQuiet: isQuiet, every: progressInterval, on: .current,
      sharesTerminal: writesToTerminal)
    if let walkerAhead { reporter.count(walkerAhead) }
    defer { reporter.stop() }
    reporter.summary.allowsEmpty = allowsEmpty
    let batch = try BatchEncoder(
      makeSource(for: layout), encoder, render: render, layout: layout, workers: workers,
      try fleetSize,
      deadlines,
      unordered: walk.isUnordered, reusing: previous, until: interruption)
    batch.report = reporter.reports
    reporter.batch = batch
    do throws(CommandError) {
      try batch.run(finished: finished) { event throws(CommandError) in
        reporter.summary.count(event)
        report(event)
        try receive(event)
      }
    } catch {
      // A reader that has gone away has not seen what failed.
      guard error == .outputClosed, reporter.summary.failedCount > 0 else { throw error }
      reporter.summary.isOutputClosed = true
    }
    if sandbox == .auto, let refusal = workers.sandbox?.refusal, refusal.number != ENOSYS {
      StandardError.print("images were decoded without a sandbox: seccomp: \(refusal)")
    }
    reporter.summary.signal = interruption.received
    return reporter.result
  }

  /// How many times an image's processor time it may wait without using any, and how many times it may take by the
  /// clock.
  private static let stallFactor = 2
  private static let wallFactor = 10
  /// While they wait for reads, this many workers for each core, and no more than so many at all.
  private static let workersPerCore = 8
  private static let workerLimit = 64
  /// What a worker is expected to take of the memory.
  private static let workerMemory = 96 << 20
  /// The descriptors for directories, outputs, signals, and images on their way to workers.
  private static let otherDescriptorCount = 20

  /// Starts the source of workers.
  ///
  /// A command calls this first, while the process has one thread and has opened nothing.
  func startWorkers() throws(CommandError) -> WorkerSupply {
    let settings = ImageTask.workers(
      sandbox, limits, workerLimit: try fleetSize.most,
      inputCapacity: tar == nil ? 0 : limits.byteCount)
    let isOneFile =
      tar == nil && operands.count == 1 && !readsList
      && (try? FileStatus(of: operands[0], followsLinks: true).kind) == .regular
    do {
      return isOneFile
        ? try WorkerSupply(forOneImage: settings) : try WorkerSupply(settings)
    } catch {
      throw .output("\(error)")
    }
  }

  /// Encodes one image in memory.
  func record(
    of bytes: Span<UInt8>, by encoder: FileEncoder
  ) throws(CommandError) -> PlaceholderRecord {
    let settings = ImageTask.workers(sandbox, limits, inputCapacity: bytes.count)
    let supply: WorkerSupply
    do {
      supply = try WorkerSupply(forOneImage: settings)
    } catch {
      throw .output("\(error)")
    }
    do throws(WorkerFailure) {
      let reply = try WorkerLease(supply).perform(
        encoder.task(byteCount: bytes.count), bytes, within: deadlines)
      return encoder.record(reply, at: FilePath([]))
    } catch {
      if case .unavailable(let error) = error { throw .output("\(error)") }
      return PlaceholderRecord(path: FilePath([]), outcome: .failed(RecordFailure(error)))
    }
  }

  /// How long one image may take.
  private var deadlines: WorkerDeadlines {
    WorkerDeadlines(
      work: limits.timeout, stall: limits.timeout * Self.stallFactor,
      wall: limits.timeout * Self.wallFactor)
  }

  /// How many workers there may be, given the memory and the descriptors that there are.
  private var fleetSize: FleetSize {
    get throws(CommandError) {
      let resources = SystemResources.current
      let usual = jobs ?? resources.processorCount
      let byMemory = (resources.memoryByteCount ?? .max) / 2 / Self.workerMemory
      let most =
        jobs ?? max(1, min(Self.workersPerCore * usual, Self.workerLimit, max(usual, byMemory)))
      let spare = SpareResources(upToDescriptors: Self.otherDescriptorCount + most)
      if let shortage = spare.shortage(ofDescriptors: Self.otherDescriptorCount + 1) {
        throw .output(shortage)
      }
      let limit = spare.descriptorCount - Self.otherDescriptorCount
      return FleetSize(usual: min(usual, limit), most: min(most, limit))
    }
  }

  /// Begins to listen for signals, before anything is opened.
  static func listen() throws(CommandError) -> SignalObserver {
    DescriptorLimit.raise()
    do {
      return try SignalObserver()
    } catch {
      throw .output(
        "cannot handle signals: \(error); check 'ulimit -n', 'ulimit -u' and 'ulimit -v'")
    }
  }

  /// What the output has to know of all this.
  var input: BatchInput {
    BatchInput(
      names: inputs, settings: settings, limits: limits, isOfFiles: tar == nil,
      isOrdered: isOrdered, pathsMayRepeat: pathsMayRepeat, readsList: readsList,
      allowsEmpty: allowsEmpty)
  }

  /// What is read, by name.
  var inputs: [FilePath] {
    tar.map { [$0] } ?? paths
  }

  private func report(_ event: BatchEncoder.Event) {
    switch event {
    case .noImages(let directory) where !allowsEmpty:
      StandardError.print("\(directory): no images found (pass --allow-empty to accept this)")
    case .emptyList where !allowsEmpty:
      StandardError.print("standard input: no paths (pass --allow-empty to accept this)")
    case .unlisted(let path, let failure, _):
      StandardError.print("\(path): \(failure.message)")
    case .kept(let entry, let failure):
      StandardError.print("\(entry.key.path): \(failure.message); kept the earlier record")
    case .skipped(let path, .loop):
      StandardError.print("\(path): symbolic link to a parent directory, skipped")
    default: break
    }
  }

  private static let list = FilePath("-")

  /// The files and directories of the command line.
  var operands: [FilePath] {
    paths.filter { $0 != Self.list }
  }

  /// Whether paths come from standard input.
  var readsList: Bool {
    paths.contains(Self.list)
  }

  private func makeSource(
    for layout: RecordLayout
  ) -> @Sendable () throws(CommandError) -> any BatchSource {
    { [tar, walker, limits, walk] () throws(CommandError) in
      let source: any BatchSource =
        if let tar {
          try TarWalker(tar, maximumByteCount: limits.byteCount, shard: walk.shard)
        } else { walker }
      return layout.hasObjections ? CheckedSource(source, for: layout) : source
    }
  }

  private var walker: ImageWalker {
    let lines = readsList ? LineReader(STDIN_FILENO, terminator: terminator) : nil
    return ImageWalker(operands, lines: lines, options: walk)
  }

  /// A walk that tells how many images there are; nil where the input can be read only once.
  private var walkerAhead: ImageWalker? {
    let lines = readsList ? LineReader(ahead: STDIN_FILENO, terminator: terminator) : nil
    guard tar == nil, readsList == (lines != nil) else { return nil }
    var walk = walk
    walk.isUnordered = true
    return ImageWalker(operands, lines: lines, options: walk)
  }

  private var terminator: UInt8 {
    endsWithZero ? 0 : UInt8(ascii: "\n")
  }
}
