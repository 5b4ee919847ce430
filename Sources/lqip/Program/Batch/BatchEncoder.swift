import LqipSystem
import LqipRecords

/// Encodes what a source finds in worker processes, and hands on the results in the source's order.
///
/// The results are the same for any number of workers. No more than the window's results are held,
/// however long one image takes.
final class BatchEncoder {
  /// What a batch encodes, and how.
  struct Job: Sendable {
    /// Opens the source, on another thread.
    let makeSource: @Sendable () throws(CommandError) -> any BatchSource
    let encoder: FileEncoder
    /// The bytes of a record.
    let render: @Sendable (PlaceholderRecord) -> [UInt8]
    /// The directory that paths in records are relative to.
    let base: FilePath?
    /// The earlier output that is updated.
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

  /// An image that waits for a worker, or is with one.
  private struct Work {
    enum Content {
      case file(followsLinks: Bool, isCandidate: Bool)
      case bytes([UInt8])
    }

    let path: FilePath
    let name: FilePath
    let content: Content
    /// The earlier record, which is written if there is nothing better.
    let known: RecordReader.Record?
    let fraction: Double?
    /// Set once the file is open.
    var stamp: RecordStamp?
    var device: dev_t?
  }

  /// Results beyond these, and what the output holds back, would be encoded again after a crash: 1,024 in all.
  private static let windowCapacity = 896
  /// The maximum number of images that wait for workers.
  private static let waitingLimit = 512
  /// How long images in flight may go on after an interruption.
  private static let gracePeriod = Duration.milliseconds(400)
  /// The number of stalled reads in a row after which the rest of a disk is given up.
  private static let stallLimit = 20

  private let job: Job
  private let interruption: SignalObserver?
  private let wakeUp: WakeUp
  private let fleet: WorkerFleet<ImageReply>
  /// The results that wait for those before them, by their place in the order of the source.
  private var results: [Int: (event: BatchEvent?, fraction: Double?)] = [:]
  private var begunCount = 0
  private var handedOnCount = 0
  /// The images without a result, by place, and those of them that no worker has, the next first.
  private var unfinished: [Int: Work] = [:]
  private var waiting: [Int] = []
  /// Elements taken from the input and not begun, the next last.
  private var taken: [InputFeed.Element] = []
  /// When images in flight at an interruption are given up.
  private var graceEnd: ContinuousClock.Instant?
  private var isAtEnd = false
  private var inputError: CommandError?
  /// The reads in a row that stalled, by disk.
  private var stallCounts: [dev_t: Int] = [:]

  /// Prepares a batch.
  ///
  /// - Parameters:
  ///   - job: What is encoded, and how.
  ///   - workers: The source of workers.
  ///   - size: The number of workers.
  ///   - deadlines: The time limits of one image.
  ///   - interruption: The signals that end the batch early.
  /// - Throws: That the system has no descriptors left.
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

  /// What is called, and how often, while nothing else happens.
  var report: (every: Duration, call: () -> Void)?

  /// The part of the input that has been handed on; `nil` if it is unknown.
  private(set) var fraction: Double?

  /// The image that workers have been at for longest, and since when.
  var awaited: (path: FilePath, since: ContinuousClock.Instant)? {
    fleet.slowest.flatMap { place, since in unfinished[place].map { ($0.path, since) } }
  }

  /// Runs the batch to its end or to an interruption.
  ///
  /// - Parameter receive: Is given every event in the order of the source. After an interruption, the events
  ///   end where the first is missing.
  /// - Throws: What `receive` throws, at once; what the source throws, after all events before it.
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
      beginWork(from: feed)
      if isInterrupted, graceEnd == nil {
        feed.stop()
        for place in waiting { unfinished[place] = nil }
        waiting = []
        graceEnd = .now + Self.gracePeriod
      }
      try handOut()
      while let result = results.removeValue(forKey: handedOnCount) {
        handedOnCount += 1
        fraction = result.fraction ?? fraction
        if let event = result.event { try receive(event) }
      }
      if isInterrupted, unfinished.isEmpty || graceEnd.map({ $0 <= .now }) ?? false { return }
      if begunCount == handedOnCount, isAtEnd {
        if let inputError { throw inputError }
        return
      }
      try wait()
    }
  }

  private var isInterrupted: Bool {
    interruption?.received != nil
  }

  /// Waits for workers, for the input, for a signal, or until it is time for a report.
  private func wait() throws(CommandError) {
    guard results[handedOnCount] == nil else { return }
    let reportTime = report.map { ContinuousClock.now + $0.every }
    let outcomes: [(job: Int, outcome: WorkerFleet<ImageReply>.Outcome)]
    do {
      outcomes = try fleet.wait(
        until: [reportTime, graceEnd].compactMap(\.self).min(), waitingCount: waiting.count)
    } catch {
      throw .output("\(error)")
    }
    if let reportTime, reportTime <= .now { report?.call() }
    for (place, outcome) in outcomes {
      // An interruption may have given it up.
      guard let work = unfinished[place] else { continue }
      switch outcome {
      case .lost: waiting.insert(place, at: 0)
      case .failed(let failure):
        noteStall(of: work, failure)
        finish(place, work, RecordFailure(failure))
      case .reply(let reply):
        noteStall(of: work, nil)
        if case .failed(let failure, _) = reply {
          finish(place, work, failure)
        } else {
          finish(place, work, job.encoder.record(reply, at: work.name, stamp: work.stamp))
        }
      }
    }
  }

  /// Counts reads that stall, and stops where a disk does not answer any more.
  private func noteStall(of work: Work, _ failure: WorkerFailure?) {
    guard let device = work.device else { return }
    guard failure == .stalled else {
      if failure == nil { stallCounts[device] = nil }
      return
    }
    stallCounts[device, default: 0] += 1
    guard stallCounts[device] == Self.stallLimit, !isAtEnd else { return }
    taken = []
    isAtEnd = true
    inputError = .input(
      "\(work.path): stopped after \(Self.stallLimit) consecutive stalled reads from its disk")
    for place in waiting {
      guard let work = unfinished[place] else { continue }
      finish(place, work, RecordFailure(WorkerFailure.stalled))
    }
    waiting = []
  }

  /// Begins what the input has found.
  private func beginWork(from feed: InputFeed) {
    while !isAtEnd, !isInterrupted, waiting.count < Self.waitingLimit,
      begunCount - handedOnCount < Self.windowCapacity
    {
      if taken.isEmpty {
        do throws(CommandError) {
          guard let elements = try feed.take() else {
            isAtEnd = true
            return
          }
          taken = elements.reversed()
        } catch {
          (isAtEnd, inputError) = (true, error)
          return
        }
      }
      guard let element = taken.popLast() else { return }
      begin(element)
    }
  }

  private func begin(_ element: InputFeed.Element) {
    let place = begunCount
    begunCount += 1
    switch element.item {
    case .event(let event): results[place] = (event, element.fraction)
    case .found(let finding, let name, let known):
      func work(_ path: FilePath, _ content: Work.Content) -> Work {
        Work(path: path, name: name, content: content, known: known, fraction: element.fraction)
      }
      switch finding {
      case .image(let path, let followsLinks, let isCandidate):
        unfinished[place] = work(
          path, .file(followsLinks: followsLinks, isCandidate: isCandidate && known == nil))
        waiting.append(place)
      case .content(let path, .success(let bytes)):
        unfinished[place] = work(path, .bytes(bytes))
        waiting.append(place)
      case .content(let path, .failure(let failure)):
        finish(place, work(path, .bytes([])), failure)
      case .unlisted(let path, let failure):
        let record = PlaceholderRecord(path: path, outcome: .failed(failure))
        // An update expects records in byte order, in which a directory comes before its own place.
        let isUpdatable = job.previous != nil || job.encoder.stampedSettings != nil
        let output = isUpdatable ? BatchEvent.Output.nothing : .entry(job.render(record))
        results[place] = (BatchEvent(path, .unlisted(failure), output), element.fraction)
      case .skipped(let path, let kind):
        results[place] = (BatchEvent(path, .skipped(kind)), element.fraction)
      }
    }
  }

  /// Gives workers what waits, as far as they have room.
  private func handOut() throws(CommandError) {
    var count = 0
    defer { waiting.removeFirst(count) }
    do throws(WorkerError) {
      while count < waiting.count, fleet.hasRoom(for: waiting.count - count) {
        guard try handOut(waiting[count], of: waiting.count - count) else { return }
        count += 1
      }
    } catch {
      throw .output("\(error)")
    }
  }

  /// Gives a worker an image; returns `false` if none is free for it.
  private func handOut(_ place: Int, of waitingCount: Int) throws(WorkerError) -> Bool {
    guard let work = unfinished[place] else { return true }
    switch work.content {
    case .bytes(let bytes):
      let held = bytes[...]
      return try fleet.add(
        place, job.encoder.task(byteCount: bytes.count).bytes, held.span)
    case .file(let followsLinks, let isCandidate):
      let opened: FileEncoder.Opened
      do throws(RecordFailure) {
        opened = try job.encoder.open(
          work.path, followsLinks: followsLinks, isCandidate: isCandidate)
      } catch {
        finish(place, work, error)
        return true
      }
      let (status, task) = (opened.file.status, opened.task)
      unfinished[place]?.stamp = opened.stamp
      unfinished[place]?.device = status.identity.device
      try fleet.add(
        place, task.bytes, file: opened.release(), byteCount: status.byteCount, of: waitingCount)
      return true
    }
  }

  /// Ends the work on an image that failed: with its earlier record if the reason may pass.
  private func finish(_ place: Int, _ work: Work, _ failure: RecordFailure) {
    guard !failure.code.isLasting, let known = work.known, known.failure == nil else {
      let reply = ImageReply.failed(failure, nil)
      return finish(place, work, job.encoder.record(reply, at: work.name, stamp: work.stamp))
    }
    unfinished[place] = nil
    let event = BatchEvent(work.path, .kept(failure), .old(known.bounds))
    results[place] = (event, work.fraction)
  }

  private func finish(_ place: Int, _ work: Work, _ record: PlaceholderRecord?) {
    unfinished[place] = nil
    let event = record.map { BatchEvent(work.path, $0, job.render($0)) }
    results[place] = (event, work.fraction)
  }
}
