import LqipOptions
import LqipRecords
import LqipSystem

/// What a command that encodes images will do: its workers, time limits and inputs, from the options and the machine.
struct EncodingPlan: Sendable {
  private let options: EncodingOptions
  let deadlines: WorkerDeadlines

  init(_ options: EncodingOptions) {
    self.options = options
    let timeout = options.limits.timeout
    deadlines = WorkerDeadlines(
      work: timeout, stall: timeout * Self.stallFactor, wall: timeout * Self.wallFactor)
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
    let settings = options.limits.workers(
      options.sandbox, workerLimit: try workerCounts.maximum,
      inputCapacity: options.tar == nil ? 0 : options.limits.byteCount)
    return try CommandError.catching({ .output("\($0)") }) { try WorkerSupply(settings) }
  }

  /// Raises the descriptor limit and installs signal handlers; call this before files are opened.
  static func observeSignals() throws(CommandError) -> SignalObserver {
    DescriptorLimit.raise()
    return try CommandError.catching(
      { .output("cannot handle signals: \($0); check 'ulimit -n', 'ulimit -u' and 'ulimit -v'") },
      { try SignalObserver(patience: .seconds(2)) })
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
      isQuiet: options.isQuiet, on: .current, sharesTerminal: writesToTerminal)
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

  private func openInput(
    updating previous: PreviousOutput?, _ activity: InputActivity
  ) throws(CommandError) -> (source: any BatchSource, matcher: RecordMatcher) {
    var walk = options.walk
    walk.base = options.records.base
    let source: any BatchSource
    if let tar = options.tar {
      source = try TarWalker(tar, maximumByteCount: options.limits.byteCount, options: walk)
    } else {
      let lines = options.readsList ? LineReader(STDIN_FILENO, terminator: nil) : nil
      source = ImageWalker(options.operands, lines: lines, options: walk, activity)
    }
    return (source, try RecordMatcher(previous, relativeTo: options.records.base, activity))
  }

  /// Decodes one image in a worker of its own.
  func reply(to task: ImageTask, _ input: WorkerInput) throws(CommandError) -> EncodingResult {
    let settings = options.limits.workers(options.sandbox, inputCapacity: 0)
    do {
      let message = try SingleImageWorker.reply(
        to: task.bytes, input, settings, within: deadlines)
      report(.available)
      return (try? EncodingResult(parsing: message)) ?? .failed(RecordFailure(.malformedReply))
    } catch {
      if case .unavailable(let error) = error { throw .output("\(error)") }
      return .failed(RecordFailure(error))
    }
  }

  /// Prints a warning if the system refused the sandbox of the workers.
  private func report(_ sandbox: Sandbox?) {
    if options.sandbox == .auto, let refusal = sandbox?.refusal, refusal.number != ENOSYS {
      StandardError.print("images were decoded without the seccomp filter: \(refusal)")
    }
  }

  /// The limits on the number of workers, from `--jobs` and the available processors, memory and descriptors.
  private var workerCounts: (base: Int, maximum: Int) {
    get throws(CommandError) {
      let resources = SystemResources.current
      let base = options.jobs ?? resources.processorCount
      let byMemory = (resources.memoryByteCount ?? .max) / 2 / Self.workerMemory
      let maximum =
        options.jobs
        ?? max(1, min(Self.workersPerCore * base, Self.workerLimit, max(base, byMemory)))
      let spare = SpareResources(upToDescriptors: Self.otherDescriptorCount + maximum)
      if let shortage = spare.shortage(ofDescriptors: Self.otherDescriptorCount + 1) {
        throw .output(shortage)
      }
      let limit = spare.descriptorCount - Self.otherDescriptorCount
      return (min(base, limit), min(maximum, limit))
    }
  }
}
