import LqipSystem
import LqipRecords

/// Encodes the images of a source in worker processes, and delivers the results in source order.
///
/// The results do not depend on the number of workers. At most `windowCapacity` results are in memory, even if one
/// image takes a long time.
final class BatchEncoder {
  /// The input of a batch, its encoder and its record format.
  struct Job: Sendable {
    /// Opens the source; called on the input thread.
    let makeSource: @Sendable () throws(CommandError) -> any BatchSource
    let encoder: FileEncoder
    /// Serializes a record.
    let render: @Sendable (PlaceholderRecord) -> [UInt8]
    /// The directory that paths in records are relative to; `nil` to record paths as given.
    let base: FilePath?
    /// The earlier output to update; `nil` to encode every image.
    let previous: PreviousOutput?

    init(
      _ encoder: FileEncoder, render: @escaping @Sendable (PlaceholderRecord) -> [UInt8],
      relativeTo base: FilePath? = nil, updating previous: PreviousOutput? = nil,
      _ makeSource: @escaping @Sendable () throws(CommandError) -> any BatchSource
    ) {
      self.makeSource = makeSource
      self.encoder = encoder
      self.render = render
      self.base = base
      self.previous = previous
    }
  }

  /// An image that is queued or in flight.
  private struct Work {
    enum Content {
      case file(followsLinks: Bool, requiresSignature: Bool)
      case bytes([UInt8])
    }

    let path: FilePath
    let name: FilePath
    let content: Content
    /// The earlier record of the file, which is kept after a transient error.
    let earlier: RecordReader.Record?
    let fraction: Double?
    /// The size, the times and the settings for the record; set when the file is opened.
    var stamp: RecordStamp?
    /// The disk of the file; set when the file is opened.
    var device: dev_t?
  }

  /// The maximum number of elements that have been started but not delivered.
  ///
  /// After a crash, the next run re-encodes the images among these elements and the images whose records were still in
  /// the output buffer, at most 1,024 images in total.
  private static let windowCapacity = 896
  /// The maximum number of images that are queued for workers.
  private static let queueLimit = 512
  /// The time that images in flight have to finish after an interruption.
  private static let gracePeriod = Duration.milliseconds(400)
  /// The number of consecutive stalled reads on one disk after which the batch ends.
  private static let stallLimit = 20

  private let job: Job
  private let interruption: SignalObserver?
  private let wakeUp: WakeUp
  private let fleet: WorkerFleet<ImageReply>
  /// The results that are waiting for those of earlier elements to be delivered, by index in source order.
  private var results: [Int: (event: BatchEvent?, fraction: Double?)] = [:]
  private var startedCount = 0
  private var deliveredCount = 0
  /// The images that are queued or in flight, by index.
  private var unfinished: [Int: Work] = [:]
  /// The indices of the queued images, next first.
  private var queue: [Int] = []
  /// Elements of the input that are not started yet, in reverse order.
  private var unstarted: [InputFeed.Element] = []
  /// The time at which images in flight are abandoned after an interruption.
  private var graceEnd: ContinuousClock.Instant?
  private var isAtEnd = false
  private var inputError: CommandError?
  /// The number of consecutive stalled reads, by disk.
  private var stallCounts: [dev_t: Int] = [:]

  /// Creates a batch; `run(_:)` starts it.
  ///
  /// - Parameters:
  ///   - job: The input, the encoder and the record format.
  ///   - workers: The supply of worker processes.
  ///   - size: The limits on the number of workers.
  ///   - deadlines: The time limits for one image.
  ///   - interruption: The signals that end the batch early.
  /// - Throws: `CommandError.output` if the system has no descriptors left.
  init(
    _ job: Job, workers: WorkerSupply, _ size: FleetSize, _ deadlines: WorkerDeadlines,
    until interruption: SignalObserver? = nil
  ) throws(CommandError) {
    self.job = job
    self.interruption = interruption
    do {
      wakeUp = try WakeUp()
    } catch {
      throw .output("\(WorkerError.system(error))")
    }
    fleet = WorkerFleet(workers, size, deadlines, wakeUp: wakeUp) {
      bytes throws(MalformedMessage) in try ImageReply(parsing: bytes)
    }
  }

  /// The function to call while the batch waits, and the interval between calls.
  var report: (every: Duration, call: () -> Void)?

  /// The fraction of the input that has been delivered, 0...1; `nil` if it is unknown.
  private(set) var fraction: Double?

  /// The image that has been in flight longest, and its start time.
  var awaited: (path: FilePath, since: ContinuousClock.Instant)? {
    fleet.slowest.flatMap { index, since in unfinished[index].map { ($0.path, since) } }
  }

  /// Runs the batch until it ends or is interrupted.
  ///
  /// - Parameter receive: Receives every event in source order. After an interruption, delivery ends at the first
  ///   unfinished image.
  /// - Throws: Immediately, an error from `receive`, or `CommandError.output` if a thread or worker cannot be started;
  ///   after all earlier events, an error from the source.
  func run(
    _ receive: (BatchEvent) throws(CommandError) -> Void
  ) throws(CommandError) {
    let feed: InputFeed
    do {
      feed = try InputFeed(
        job.makeSource, updating: job.previous, relativeTo: job.base,
        capacity: Self.windowCapacity
      ) { [wakeUp] in wakeUp.set() }
    } catch {
      throw .output("cannot start a thread: \(error); check 'ulimit -u' and 'ulimit -v'")
    }
    interruption?.onSignal { [wakeUp] in wakeUp.set() }
    defer {
      interruption?.onSignal(nil)
      feed.stop()
    }
    while true {
      startWork(from: feed)
      if isInterrupted, graceEnd == nil {
        feed.stop()
        for index in queue { unfinished[index] = nil }
        queue = []
        graceEnd = .now + Self.gracePeriod
      }
      try dispatch()
      while let result = results.removeValue(forKey: deliveredCount) {
        deliveredCount += 1
        fraction = result.fraction ?? fraction
        if let event = result.event { try receive(event) }
      }
      if isInterrupted, unfinished.isEmpty || graceEnd.map({ $0 <= .now }) ?? false { return }
      if startedCount == deliveredCount, isAtEnd {
        if let inputError { throw inputError }
        return
      }
      try wait()
    }
  }

  private var isInterrupted: Bool {
    interruption?.received != nil
  }

  /// Waits for a worker, the input, a signal or the next report, and handles the finished images.
  private func wait() throws(CommandError) {
    guard results[deliveredCount] == nil else { return }
    let reportTime = report.map { ContinuousClock.now + $0.every }
    let outcomes: [(job: Int, outcome: WorkerFleet<ImageReply>.Outcome)]
    do {
      outcomes = try fleet.wait(
        until: [reportTime, graceEnd].compactMap(\.self).min(), waitingCount: queue.count)
    } catch {
      throw .output("\(error)")
    }
    if let reportTime, reportTime <= .now { report?.call() }
    for (index, outcome) in outcomes {
      // `noteStall` may have finished the image, or an interruption may have dropped it.
      guard let work = unfinished[index] else { continue }
      switch outcome {
      case .lost: queue.insert(index, at: 0)
      case .failed(let failure):
        noteStall(of: work, failure)
        finish(index, work, RecordFailure(failure))
      case .reply(let reply):
        noteStall(of: work, nil)
        if case .failed(let failure, _) = reply {
          finish(index, work, failure)
        } else {
          finish(index, work, job.encoder.record(reply, at: work.name, stamp: work.stamp))
        }
      }
    }
  }

  /// Counts consecutive stalled reads by disk, and ends the batch at `stallLimit`.
  private func noteStall(of work: Work, _ failure: WorkerFailure?) {
    guard let device = work.device else { return }
    guard failure == .stalled else {
      if failure == nil { stallCounts[device] = nil }
      return
    }
    stallCounts[device, default: 0] += 1
    guard stallCounts[device] == Self.stallLimit, !isAtEnd else { return }
    unstarted = []
    isAtEnd = true
    inputError = .input(
      "\(work.path): stopped after \(Self.stallLimit) consecutive stalled reads from the same disk")
    for index in queue {
      guard let work = unfinished[index] else { continue }
      finish(index, work, RecordFailure(WorkerFailure.stalled))
    }
    queue = []
  }

  /// Starts work on input elements while the window and the queue have room.
  private func startWork(from feed: InputFeed) {
    while !isAtEnd, !isInterrupted, queue.count < Self.queueLimit,
      startedCount - deliveredCount < Self.windowCapacity
    {
      if unstarted.isEmpty {
        do throws(CommandError) {
          guard let elements = try feed.take() else {
            isAtEnd = true
            return
          }
          unstarted = elements.reversed()
        } catch {
          (isAtEnd, inputError) = (true, error)
          return
        }
      }
      guard let element = unstarted.popLast() else { return }
      start(element)
    }
  }

  private func start(_ element: InputFeed.Element) {
    let index = startedCount
    startedCount += 1
    switch element.item {
    case .event(let event): results[index] = (event, element.fraction)
    case .found(let finding, let name, let earlier):
      func work(_ path: FilePath, _ content: Work.Content) -> Work {
        Work(path: path, name: name, content: content, earlier: earlier, fraction: element.fraction)
      }
      switch finding {
      case .image(let path, let followsLinks, let requiresSignature):
        unfinished[index] = work(
          path,
          .file(followsLinks: followsLinks, requiresSignature: requiresSignature && earlier == nil))
        queue.append(index)
      case .content(let path, .success(let bytes)):
        unfinished[index] = work(path, .bytes(bytes))
        queue.append(index)
      case .content(let path, .failure(let failure)):
        finish(index, work(path, .bytes([])), failure)
      case .unlisted(let path, let failure):
        let record = PlaceholderRecord(path: path, outcome: .failed(failure))
        // The records of an updatable output are in byte order. A directory is visited as `name/`, but the path of
        // its error record would be `name`, which can precede paths that are already written.
        let isUpdatable = job.previous != nil || job.encoder.stampedSettings != nil
        let output = isUpdatable ? BatchEvent.Output.nothing : .entry(job.render(record))
        results[index] = (BatchEvent(path, .unlisted(failure), output), element.fraction)
      case .skipped(let path, let kind):
        results[index] = (BatchEvent(path, .skipped(kind)), element.fraction)
      }
    }
  }

  /// Sends queued images to workers while the workers have room.
  private func dispatch() throws(CommandError) {
    var count = 0
    defer { queue.removeFirst(count) }
    do throws(WorkerError) {
      while count < queue.count, fleet.hasRoom(for: queue.count - count) {
        guard try dispatch(queue[count], of: queue.count - count) else { return }
        count += 1
      }
    } catch {
      throw .output("\(error)")
    }
  }

  /// Sends an image to a worker; returns `false` if no worker is free.
  private func dispatch(_ index: Int, of waitingCount: Int) throws(WorkerError) -> Bool {
    guard let work = unfinished[index] else { return true }
    switch work.content {
    case .bytes(let bytes):
      let held = bytes[...]
      return try fleet.add(
        index, job.encoder.task(byteCount: bytes.count).bytes, held.span)
    case .file(let followsLinks, let requiresSignature):
      let opened: FileEncoder.Opened
      do throws(RecordFailure) {
        opened = try job.encoder.open(
          work.path, followsLinks: followsLinks, requiresSignature: requiresSignature)
      } catch {
        finish(index, work, error)
        return true
      }
      let (status, request) = (opened.file.status, opened.task.bytes)
      unfinished[index]?.stamp = opened.stamp
      unfinished[index]?.device = status.identity.device
      try fleet.add(
        index, request, file: opened.release(), byteCount: status.byteCount, of: waitingCount)
      return true
    }
  }

  /// Finishes a failed image with an error record or, after a transient error, with its earlier record, unless that is
  /// an error record too.
  private func finish(_ index: Int, _ work: Work, _ failure: RecordFailure) {
    guard !failure.code.isPermanent, let earlier = work.earlier, earlier.failure == nil else {
      let reply = ImageReply.failed(failure, nil)
      return finish(index, work, job.encoder.record(reply, at: work.name, stamp: work.stamp))
    }
    unfinished[index] = nil
    let event = BatchEvent(work.path, .kept(failure), .previous(earlier.bounds))
    results[index] = (event, work.fraction)
  }

  private func finish(_ index: Int, _ work: Work, _ record: PlaceholderRecord?) {
    unfinished[index] = nil
    let event = record.map { BatchEvent(work.path, $0, job.render($0)) }
    results[index] = (event, work.fraction)
  }
}
