import LqipSystem
import LqipRecords
import PlaceholderEncoding

/// Which images to encode and how: what the commands over many images have in common.
struct EncodingOptions: Sendable {
  var paths: [FilePath] = []
  /// An archive in place of the paths.
  var tar: FilePath?
  var placeholders = PlaceholderOptions()
  /// What is made of each image.
  var kinds = PlaceholderEncoder.Options().kinds
  var limits = LimitOptions()
  var walk = WalkOptions()
  /// The number of worker processes; nil for as many as keep the processors busy.
  var jobs: Int?
  var sandbox = Sandbox.Mode.auto
  var isQuiet = false

  static let operand = "PATH..."

  /// The paragraph of help on what paths stand for.
  static let pathDiscussion = """
    PATH is a file or a directory; '-' reads paths from standard input, one per line or \
    NUL-terminated. Directories are searched recursively for files with an image extension or \
    signature.
    """

  /// The paragraph of the manual on the same.
  static let pathDetails = """
    A file passed as PATH is encoded whatever its name. In directories, files with the extension \
    .jpg, .jpeg, .jpe, .jfif, .png, .apng, .webp or .gif are encoded, and so is any other file \
    that starts with the signature of a supported format; names that begin with a dot are skipped. \
    Paths from standard input are read last.
    """

  /// The option on the walls around the processes that decode.
  static let sandboxOption: CommandOption<Sandbox.Mode> = .value(
    "--sandbox", "MODE", \.self, .choice,
    help: "Sandbox the decoders: auto (default), require or off",
    details:
      "'auto' uses seccomp and Landlock where available; 'require' fails without seccomp; 'off' runs "
      + "the decoders without a sandbox.")

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
    ] + LimitOptions.table.filter { $0.name != "--max-memory" }.map { $0.lifted(to: \.limits) }

  /// The option on what is printed of a run.
  static let quietOption: CommandOption<Self> = .flag(
    "--quiet", short: "q", \.isQuiet, help: "Print errors only (no progress or summary)")

  /// Refuses settings that do not fit together.
  func validate() throws(UsageError) {
    guard tar == nil else {
      guard paths.isEmpty else { throw .conflict("--tar cannot be combined with PATH") }
      return
    }
    guard !paths.isEmpty else { throw .missingOperand("PATH") }
  }

  /// Whether the same path may come twice.
  var pathsMayRepeat: Bool {
    tar != nil || paths.count > 1 || readsList
  }

  /// The settings that make the same placeholders of the same image, in one line.
  var stampedSettings: String {
    let names = kinds.map(\.rawValue).sorted().joined(separator: ",")
    let words = ["\(PlaceholderEncoder.algorithmVersion)", names] + placeholders.text + limits.text
    return words.joined(separator: " ")
  }

  /// What the settings make of one file.
  var fileEncoder: FileEncoder {
    FileEncoder(placeholders, limits, kinds: kinds)
  }

  /// Encodes what the paths stand for, and hands on the events in the order of the paths.
  ///
  /// - Parameters:
  ///   - encoder: Encodes one file.
  ///   - workers: The source of workers.
  ///   - render: Makes the bytes of a record.
  ///   - base: The directory that paths in records are relative to.
  ///   - previous: The earlier output that is updated.
  ///   - interruption: The signals that end the work early.
  ///   - writesToTerminal: Whether records are shown on a terminal as they come.
  ///   - receive: Is given the events in their order.
  /// - Returns: The counts; an input that cannot be read to its end is told at once and noted there.
  /// - Throws: What `receive` throws, or that workers cannot be started.
  func run(
    _ encoder: FileEncoder, workers: WorkerSupply,
    render: @escaping @Sendable (PlaceholderRecord) -> [UInt8], relativeTo base: FilePath? = nil,
    updating previous: PreviousOutput? = nil, until interruption: SignalObserver,
    writesToTerminal: Bool, receive: (BatchEvent) throws(CommandError) -> Void
  ) throws(CommandError) -> BatchSummary {
    let reporter = ProgressReporter(
      isQuiet: isQuiet, on: .current, sharesTerminal: writesToTerminal)
    defer { reporter.stop() }
    let job = BatchEncoder.Job(
      encoder, render: render, relativeTo: base, updating: previous, makeSource)
    let batch = try BatchEncoder(
      job, workers: workers, try fleetSize, deadlines, until: interruption)
    batch.report = reporter.reports
    reporter.batch = batch
    do throws(CommandError) {
      try batch.run { event throws(CommandError) in
        reporter.receive(event)
        try receive(event)
      }
    } catch {
      switch error {
      case .input(let message):
        StandardError.print(message)
        reporter.summary.isInputIncomplete = true
        reporter.summary.endedEarly = true
      // A reader that has gone away has not seen what failed.
      case .outputClosed where reporter.summary.failedCount > 0:
        reporter.summary.isOutputClosed = true
      default: throw error
      }
    }
    if sandbox == .auto, let refusal = workers.sandbox?.refusal, refusal.number != ENOSYS {
      StandardError.print("images were decoded without the seccomp filter: \(refusal)")
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

  /// Encodes one image in memory; nil is one that could not be read in time.
  func record(
    of bytes: [UInt8]?, by encoder: FileEncoder
  ) throws(CommandError) -> PlaceholderRecord {
    guard let bytes = bytes?[...] else {
      return PlaceholderRecord(
        path: FilePath([]), outcome: .failed(RecordFailure(WorkerFailure.stalled)))
    }
    let settings = ImageTask.workers(sandbox, limits, inputCapacity: bytes.count)
    let supply: WorkerSupply
    do {
      supply = try WorkerSupply(forOneImage: settings)
    } catch {
      throw .output("\(error)")
    }
    do throws(WorkerFailure) {
      let reply = try WorkerLease(supply).perform(
        encoder.task(byteCount: bytes.count), bytes.span, within: deadlines)
      if let record = encoder.record(reply, at: FilePath([])) { return record }
      preconditionFailure("bytes in memory are encoded in any case")
    } catch {
      if case .unavailable(let error) = error { throw .output("\(error)") }
      return PlaceholderRecord(path: FilePath([]), outcome: .failed(RecordFailure(error)))
    }
  }

  /// How long one image may take.
  var deadlines: WorkerDeadlines {
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

  /// What is read, by name.
  var inputs: [FilePath] {
    tar.map { [$0] } ?? paths
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

  private var makeSource: @Sendable () throws(CommandError) -> any BatchSource {
    { [tar, operands, readsList, limits, walk] () throws(CommandError) in
      if let tar {
        return try TarWalker(tar, maximumByteCount: limits.byteCount, options: walk)
      }
      let lines = readsList ? LineReader(STDIN_FILENO, terminator: nil) : nil
      return ImageWalker(operands, lines: lines, options: walk)
    }
  }
}
