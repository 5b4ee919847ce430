import LqipRecords
import LqipSystem

/// Encodes the images of a source in worker processes, and delivers the results in source order.
///
/// The results do not depend on the number of workers. At most `windowCapacity` results are in memory, even if one
/// image takes a long time.
final class BatchEncoder {
  /// An item of the input that has been started but not delivered.
  private final class Work {
    /// The position in source order.
    let index: Int
    var item: RecordMatcher.Item
    /// Whether the file is being opened.
    var isOpening = false
    /// The open file, until it is sent to a worker.
    var opened: (file: Int32, byteCount: Int)?
    /// The size, the times and the settings for the record; set when the file is opened.
    var stamp: RecordStamp?
    /// The disk of the file; `nil` if it is unknown until the file is opened.
    var device: dev_t?

    /// The file to open; `nil` if that has been requested, or if there is none.
    var unopened: Finding.File? {
      guard !isOpening, opened == nil, case .waiting(.file(var file)) = item.state else {
        return nil
      }
      // A file with an earlier record is an image, or was one.
      if item.earlier != nil { file.requiresSignature = false }
      return file
    }

    var isDone: Bool {
      if case .done = item.state { true } else { false }
    }

    /// Whether the image can be sent to a worker.
    var isReady: Bool {
      if case .waiting(.content) = item.state { true } else { opened != nil }
    }

    init(_ index: Int, _ item: RecordMatcher.Item) {
      (self.index, self.item) = (index, item)
      if case .waiting(.file(let file)) = item.state { device = file.device }
    }

    deinit {
      if let opened { close(opened.file) }
    }
  }

  /// The maximum number of items that have been started but not delivered.
  ///
  /// After a crash, the next run re-encodes the images among these items and the images whose records were still in
  /// the output buffer, at most 1,024 images in total.
  private static let windowCapacity = 896
  /// The maximum number of images that are queued for workers.
  private static let queueLimit = 512
  /// The time that images in flight have to finish after an interruption.
  private static let gracePeriod = Duration.milliseconds(400)
  /// The interval between checks of the input thread.
  private static let checkInterval = Duration.seconds(1)
  /// The number of consecutive stalled reads on one disk after which the batch ends.
  private static let stallLimit = 20

  private let encoder: FileEncoder
  private let render: (PlaceholderRecord) -> [UInt8]
  private let open: InputFeed.Opening
  private let progress: ProgressReporter
  private let interruption: SignalObserver
  private let wakeUp: WakeUp
  private let opener: FileOpener
  private let fleet: WorkerFleet
  private let deadlines: WorkerDeadlines
  /// The items that have been started but not delivered, in source order.
  private var window: [Work] = []
  private var deliveredCount = 0
  /// The images that wait for a worker, next first.
  private var queue: [Work] = []
  /// Items of the input that are not started yet, in reverse order.
  private var unstarted: [RecordMatcher.Item] = []
  /// The time at which images in flight are abandoned after an interruption.
  private var graceEnd: MonotonicTime?
  private var isAtEnd = false
  private var inputError: CommandError?
  /// The number of consecutive stalled reads, by disk.
  private var stallCounts: [dev_t?: Int] = [:]

  init(
    _ encoder: FileEncoder, render: @escaping (PlaceholderRecord) -> [UInt8],
    workers: WorkerSupply, baseCount: Int, _ deadlines: WorkerDeadlines,
    reportingTo progress: ProgressReporter, until interruption: SignalObserver,
    open: @escaping InputFeed.Opening
  ) throws(CommandError) {
    self.encoder = encoder
    self.render = render
    self.open = open
    self.progress = progress
    self.interruption = interruption
    do {
      wakeUp = try WakeUp()
    } catch {
      throw .output("\(WorkerError.system(error))")
    }
    fleet = WorkerFleet(workers, baseCount: baseCount, deadlines, wakeUp: wakeUp)
    opener = FileOpener(encoder) { [wakeUp] in wakeUp.set() }
    self.deadlines = deadlines
  }

  /// Runs the batch until it ends or is interrupted.
  ///
  /// - Parameter receive: Receives every event in source order. After an interruption, delivery ends at the first
  ///   unfinished image.
  /// - Throws: Immediately, an error from `receive`, or `CommandError.output` if a thread or worker cannot be started;
  ///   after all earlier events, an error from the source.
  func run(_ receive: (BatchEvent) throws(CommandError) -> Void) throws(CommandError) {
    let feed = try CommandError.catching(
      { .output("cannot start a thread: \($0); check 'ulimit -u' and 'ulimit -v'") },
      { try InputFeed(open, capacity: Self.windowCapacity) { [wakeUp] in wakeUp.set() } })
    interruption.onSignal { [wakeUp] _ in wakeUp.set() }
    defer {
      interruption.onSignal(nil)
      feed.stop()
      opener.stop()
    }
    while true {
      if let path = feed.activity.hungPath() {
        StandardError.print("\(path): no response for 10 seconds; waiting")
      }
      startWork(from: feed)
      if isInterrupted, graceEnd == nil {
        feed.stop()
        queue = []
        graceEnd = .now + Self.gracePeriod
      }
      try dispatch()
      let done = Array(window.prefix(while: \.isDone))
      window.removeFirst(done.count)
      deliveredCount += done.count
      for work in done {
        progress.fraction = work.item.fraction ?? progress.fraction
        guard case .done(let event?) = work.item.state else { continue }
        progress.receive(event)
        try receive(event)
      }
      if let graceEnd, graceEnd <= .now || queue.isEmpty && fleet.pendingCount == 0 { return }
      if window.isEmpty, isAtEnd {
        if let inputError { throw inputError }
        return
      }
      try wait()
    }
  }

  private var isInterrupted: Bool {
    interruption.received != nil
  }

  private func work(_ index: Int) -> Work {
    window[index - deliveredCount]
  }

  /// Waits for a worker, the input, a signal or the next report, and handles the finished images.
  private func wait() throws(CommandError) {
    if window.first?.isDone == true { return }
    let reportTime = progress.interval.map { MonotonicTime.now + $0 }
    let unanswered = try CommandError.catching({ .output("\($0)") }) {
      try fleet.wait(
        until: [reportTime, graceEnd, opener.nextCheck, .now + Self.checkInterval]
          .compactMap(\.self).min(), waitingCount: queue.count, accept)
    }
    for (index, failure) in unanswered {
      let work = work(index)
      if let failure {
        noteStall(of: work, failure)
        finish(work, .failed(RecordFailure(failure)))
      } else {
        queue.insert(work, at: 0)
      }
    }
    progress.report()
  }

  /// Finishes the image of a reply.
  private func accept(_ index: Int, _ bytes: [UInt8]) throws(MalformedMessage) {
    let work = work(index)
    let reply = try EncodingResult(parsing: bytes)
    noteStall(of: work, nil)
    finish(work, reply)
  }

  /// Counts consecutive stalled openings and reads by disk, and ends the batch at `stallLimit`.
  private func noteStall(of work: Work, _ failure: WorkerFailure?) {
    guard failure == .stalled else {
      if failure == nil { stallCounts[work.device] = nil }
      return
    }
    stallCounts[work.device, default: 0] += 1
    guard stallCounts[work.device] == Self.stallLimit else { return }
    stop(
      "\(work.item.path): stopped after \(Self.stallLimit) consecutive stalled reads from the same disk"
    )
  }

  /// Ends the batch after the images in flight; the other images that were found fail.
  private func stop(_ reason: String) {
    guard !isAtEnd || !queue.isEmpty else { return }
    unstarted = []
    isAtEnd = true
    inputError = .input(reason)
    for work in queue where !work.isDone {
      finish(work, .failed(RecordFailure(WorkerFailure.stalled)))
    }
    queue = []
  }

  /// Starts work on items of the input while the window and the queue have room.
  private func startWork(from feed: InputFeed) {
    guard !isInterrupted else { return }
    while !isAtEnd, queue.count < Self.queueLimit, window.count < Self.windowCapacity {
      if unstarted.isEmpty {
        do throws(CommandError) {
          let items = try feed.take()
          (unstarted, isAtEnd) = (items?.reversed() ?? [], items == nil)
        } catch {
          (isAtEnd, inputError) = (true, error)
        }
      }
      guard let item = unstarted.popLast() else { return }
      start(item)
    }
  }

  private func start(_ item: RecordMatcher.Item) {
    let work = Work(deliveredCount + window.count, item)
    window.append(work)
    switch work.item.state {
    case .done: break
    case .waiting(.file), .waiting(.content(_, .success)): queue.append(work)
    case .waiting(.content(_, .failure(let failure))): finish(work, .failed(failure))
    case .waiting(.unlisted(let path, let failure)):
      let record = PlaceholderRecord(path: path, outcome: .failed(failure))
      // The records of an updatable output are in byte order. A directory is visited as `name/`, but the path of
      // its error record would be `name`, which can precede paths that are already written.
      let isUpdatable = encoder.stampedSettings != nil
      let output = isUpdatable ? BatchEvent.Output.nothing : .entry(render(record))
      finish(work, BatchEvent(path, .unlisted(failure), output))
    case .waiting(.skipped(let path, let kind)):
      finish(work, BatchEvent(path, .skipped(kind)))
    }
  }

  /// Opens the next files, and sends open images to workers while the workers have room.
  private func dispatch() throws(CommandError) {
    for work in queue.prefix(FileOpener.capacity) {
      guard let file = work.unopened else { continue }
      work.isOpening = true
      opener.open(work.index, file)
    }
    let overdue = try CommandError.catching({ .output("cannot start a thread: \($0)") }) {
      try opener.check(limit: deadlines.stall)
    }
    var outcomes = opener.take()
    outcomes += overdue.map { ($0, .failed(RecordFailure(.timeout, "opening took too long"))) }
    for (index, outcome) in outcomes { receive(outcome, index, isOverdue: overdue.contains(index)) }
    if opener.isExhausted { stop("stopped because too many files do not open") }
    if !outcomes.isEmpty { queue.removeAll(where: \.isDone) }
    var index = 0
    try CommandError.catching({ .output("\($0)") }) {
      while index < min(queue.count, FileOpener.capacity), fleet.hasRoom(for: queue.count) {
        guard queue[index].isReady else {
          index += 1
          continue
        }
        guard try send(queue[index]) else { return }
        queue.remove(at: index)
      }
    }
  }

  /// Handles the result of opening a file.
  private func receive(_ outcome: FileOpener.Outcome, _ index: Int, isOverdue: Bool) {
    let work = index < deliveredCount ? nil : work(index)
    work?.isOpening = false
    guard let work, !work.isDone else {
      if case .opened(let file, _, _) = outcome { close(file) }
      return
    }
    switch outcome {
    case .opened(let file, let status, let stamp):
      (work.opened, work.stamp) = ((file, status.byteCount), stamp)
      work.device = status.identity.device
    case .failed(let failure):
      if isOverdue { noteStall(of: work, .stalled) }
      finish(work, .failed(failure))
    case .skipped(let kind):
      let output = work.item.earlier.map { BatchEvent.Output.previous($0.bounds) } ?? .nothing
      finish(work, BatchEvent(work.item.path, .skipped(kind), output))
    case .ignored: finish(work, nil as BatchEvent?)
    }
  }

  /// Sends an image to a worker; returns `false` if no worker accepts it.
  private func send(_ work: Work) throws(WorkerError) -> Bool {
    if case .waiting(.content(_, .success(let bytes))) = work.item.state {
      let held = bytes[...]
      return try fleet.add(work.index, encoder.task(byteCount: bytes.count).bytes, held.span)
    }
    guard let (file, byteCount) = work.opened else { return true }
    let isAccepted = try fleet.add(
      work.index, encoder.task(byteCount: byteCount).bytes, file: file, byteCount: byteCount,
      of: queue.count)
    guard isAccepted else { return false }
    work.opened = nil
    return true
  }

  /// Finishes an image with its record.
  ///
  /// After a transient error, an earlier record is kept, unless it is an error record too.
  private func finish(_ work: Work, _ reply: EncodingResult) {
    if case .failed(let failure) = reply, !failure.code.isPermanent,
      let earlier = work.item.earlier,
      earlier.failure == nil
    {
      return finish(work, BatchEvent(work.item.path, .kept(failure), .previous(earlier.bounds)))
    }
    let record = PlaceholderRecord(path: work.item.name, outcome: reply, stamp: work.stamp)
    finish(work, BatchEvent(work.item.path, record, render(record)))
  }

  private func finish(_ work: Work, _ event: BatchEvent?) {
    var event = event
    event?.hasEarlier = work.item.earlier != nil
    work.item.state = .done(event)
  }
}
