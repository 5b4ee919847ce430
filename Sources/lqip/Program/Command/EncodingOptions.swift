import LqipSystem
import LqipRecords
import PlaceholderEncoding

/// The options of commands that encode many images.
struct EncodingOptions: Sendable {
  var paths: [FilePath] = []
  /// The tar archive to read instead of paths.
  var tar: FilePath?
  var placeholders = PlaceholderOptions()
  var records = RecordOptions()
  var limits = LimitOptions()
  var walk = WalkOptions()
  /// The number of worker processes; `nil` for enough to keep all cores busy.
  var jobs: Int?
  var sandbox = Sandbox.Mode.auto
  var isQuiet = false

  static let operand = "PATH..."

  static let pathDiscussion = """
    PATH is a file or a directory; '-' reads paths from standard input, one per line or \
    NUL-terminated. Directories are searched recursively for files with an image extension or \
    signature.
    """

  static let placeholderTable: [CommandOption<Self>] =
    [RecordOptions.kindsOption.lifted(to: \.records)]
    + PlaceholderOptions.table.map { $0.lifted(to: \.placeholders) }

  /// Returns the option `--sandbox` of a command, which `store` adds to its settings.
  static func sandboxOption<Settings>(
    _ store: @escaping @Sendable (inout Settings, Sandbox.Mode) -> Void
  ) -> CommandOption<Settings> {
    .value(
      "--sandbox", "MODE", store, .choice,
      help: "Set the sandbox mode: auto (default), require or off",
      details:
        "'auto' uses seccomp and Landlock where available; 'require' fails without seccomp; 'off' runs "
        + "the decoders without a sandbox.")
  }

  static let limitTable: [CommandOption<Self>] =
    [
      .value(
        "--jobs", short: "j", "N", { $0.jobs = $1 }, .integer(in: 1...1024),
        help: "Decode in N worker processes (default: one per core)",
        details:
          "N can be at most 1024. By default, more workers run while some wait for reads, up to 8 per "
          + "core."),
      sandboxOption { $0.sandbox = $1 },
    ] + LimitOptions.table.filter { $0.name != "--max-memory" }.map { $0.lifted(to: \.limits) }

  static let quietOption: CommandOption<Self> = .flag(
    "--quiet", short: "q", { $0.isQuiet = true }, help: "Print only errors (no progress or summary)"
  )

  mutating func take(_ operand: CommandArgument) throws(UsageError) {
    let path = try operand.path(for: "PATH")
    let text = operand.text.lowercased()
    guard !text.hasPrefix("http://"), !text.hasPrefix("https://") else {
      throw .conflict("\(path): URLs are not supported; use: curl -L \(path) | lqip encode --stdin")
    }
    paths.append(path)
  }

  func validate() throws(UsageError) {
    guard tar == nil else {
      guard paths.isEmpty else { throw .conflict("--tar cannot be combined with PATH") }
      return
    }
    guard !paths.isEmpty else { throw .missingOperand("PATH") }
  }

  var pathsMayRepeat: Bool {
    tar != nil || paths.count > 1 || readsList
  }

  /// The settings that determine the placeholders of an image, in one line.
  var stampedSettings: String {
    let settings = EncoderSettings(placeholders, limits, kinds: records.chosenKinds).text
    let text = "\(PlaceholderEncoder.algorithmVersion) \(settings)"
    guard records.chosenKinds.contains(where: { $0 == .preview || $0 == .svg }),
      placeholders.preview.format == .webp
    else { return text }
    // The previews of libwebp differ between its versions.
    return "\(text) libwebp=\(CodecLibrary.libwebp.version ?? "none")"
  }

  var fileEncoder: FileEncoder {
    FileEncoder(placeholders, limits, records)
  }

  /// Encodes the selected images and delivers the events in source order.
  ///
  /// If the input cannot be read to its end, the error is printed and noted in the counts that are returned.
  func run(
    _ encoder: FileEncoder, workers: WorkerSupply,
    render: @escaping (PlaceholderRecord) -> [UInt8],
    updating previous: PreviousOutput? = nil, until interruption: SignalObserver,
    writesToTerminal: Bool, receive: (BatchEvent) throws(CommandError) -> Void
  ) throws(CommandError) -> BatchSummary {
    let reporter = ProgressReporter(
      isQuiet: isQuiet, on: .current, sharesTerminal: writesToTerminal)
    defer { reporter.stop() }
    let batch = try BatchEncoder(
      encoder, render: render, workers: workers, baseCount: try workerCounts.base, deadlines,
      reportingTo: reporter, until: interruption
    ) { [self] activity throws(CommandError) in try openInput(updating: previous, activity) }
    do throws(CommandError) {
      try batch.run(receive)
    } catch {
      switch error {
      case .input(let message):
        StandardError.print(message)
        reporter.summary.isInputIncomplete = true
        reporter.summary.endedEarly = true
      // The reader of the output has not seen every failure, so the summary is still reported.
      case .outputClosed where reporter.summary.failedCount > 0:
        reporter.summary.isOutputClosed = true
      default: throw error
      }
    }
    report(workers.sandbox)
    reporter.summary.signal = interruption.received
    return reporter.result
  }

  /// The time without progress after which an image fails, as a multiple of its CPU time limit.
  private static let stallFactor = 2
  /// The wall time limit of an image, as a multiple of its CPU time limit.
  private static let wallFactor = 10
  /// The maximum number of workers per core, while workers wait for reads.
  private static let workersPerCore = 8
  /// The maximum number of workers without `--jobs`.
  private static let workerLimit = 64
  /// The expected memory use of a worker in bytes.
  private static let workerMemory = 96 << 20
  /// The number of descriptors reserved for directories, outputs, signals and images sent to workers.
  private static let otherDescriptorCount = 20 + FileOpener.capacity

  /// Starts the supply of workers.
  ///
  /// Call this first: workers are forked, so the process must have one thread and no open files.
  func startWorkers() throws(CommandError) -> WorkerSupply {
    let settings = ImageTask.workers(
      sandbox, limits, workerLimit: try workerCounts.maximum,
      inputCapacity: tar == nil ? 0 : limits.byteCount)
    return try CommandError.catching({ .output("\($0)") }) { try WorkerSupply(settings) }
  }

  /// The only file to encode; `nil` if there may be others, or if options affect its selection or its path.
  var onlyFile: FilePath? {
    guard tar == nil, paths.count == 1, !readsList, walk == WalkOptions(), records.base == nil,
      (try? FileStatus(of: paths[0], followsLinks: true))?.kind == .regular
    else { return nil }
    return paths[0]
  }

  /// Decodes one image in a worker of its own.
  func reply(to task: ImageTask, _ input: WorkerInput) throws(CommandError) -> ImageReply {
    let settings = ImageTask.workers(
      sandbox, limits, inputCapacity: 0, onlyImage: input)
    do {
      let message = try SingleImageWorker.reply(
        to: task.bytes, input, settings, within: deadlines)
      report(.available)
      return (try? ImageReply(parsing: message)) ?? .failed(RecordFailure(.malformedReply))
    } catch {
      if case .unavailable(let error) = error { throw .output("\(error)") }
      return .failed(RecordFailure(error))
    }
  }

  /// Prints a warning if the system refused the sandbox of the workers.
  private func report(_ sandbox: Sandbox?) {
    if self.sandbox == .auto, let refusal = sandbox?.refusal, refusal.number != ENOSYS {
      StandardError.print("images were decoded without the seccomp filter: \(refusal)")
    }
  }

  var deadlines: WorkerDeadlines {
    WorkerDeadlines(
      work: limits.timeout, stall: limits.timeout * Self.stallFactor,
      wall: limits.timeout * Self.wallFactor)
  }

  /// The limits on the number of workers, from `--jobs` and the available processors, memory and descriptors.
  private var workerCounts: (base: Int, maximum: Int) {
    get throws(CommandError) {
      let resources = SystemResources.current
      let base = jobs ?? resources.processorCount
      let byMemory = (resources.memoryByteCount ?? .max) / 2 / Self.workerMemory
      let maximum =
        jobs ?? max(1, min(Self.workersPerCore * base, Self.workerLimit, max(base, byMemory)))
      let spare = SpareResources(upToDescriptors: Self.otherDescriptorCount + maximum)
      if let shortage = spare.shortage(ofDescriptors: Self.otherDescriptorCount + 1) {
        throw .output(shortage)
      }
      let limit = spare.descriptorCount - Self.otherDescriptorCount
      return (min(base, limit), min(maximum, limit))
    }
  }

  /// Raises the descriptor limit and installs signal handlers; call this before files are opened.
  static func observeSignals() throws(CommandError) -> SignalObserver {
    DescriptorLimit.raise()
    return try CommandError.catching(
      { .output("cannot handle signals: \($0); check 'ulimit -n', 'ulimit -u' and 'ulimit -v'") },
      { try SignalObserver(patience: .seconds(2)) })
  }

  /// The archive, or the paths on the command line.
  var inputs: [FilePath] {
    tar.map { [$0] } ?? paths
  }

  /// The operand for a list of paths on standard input.
  private static let list = FilePath("-")

  /// The files and directories on the command line.
  var operands: [FilePath] {
    paths.filter { $0 != Self.list }
  }

  var readsList: Bool {
    paths.contains(Self.list)
  }

  private func openInput(
    updating previous: PreviousOutput?, _ activity: InputActivity
  ) throws(CommandError) -> (source: any BatchSource, matcher: RecordMatcher) {
    var walk = walk
    walk.base = records.base
    let source: any BatchSource
    if let tar {
      source = try TarWalker(tar, maximumByteCount: limits.byteCount, options: walk)
    } else {
      let lines = readsList ? LineReader(STDIN_FILENO, terminator: nil) : nil
      source = ImageWalker(operands, lines: lines, options: walk, activity)
    }
    return (source, try RecordMatcher(previous, relativeTo: records.base, activity))
  }
}
