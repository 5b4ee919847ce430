package import LqipFiles
package import LqipRecords
package import LqipWorkers

/// Encodes what a source gives, in worker processes, and hands on the results in the source's order, or as
/// they come.
///
/// The results are the same for any number of workers. No more than the window's results are held,
/// however long one image takes.
@MainActor
package final class BatchEncoder {
  private static let windowCapacity = 1024
  /// How many images may wait for workers.
  private static let waitingLimit = 512
  /// How long images may go on after an interruption.
  private static let gracePeriod = Duration.milliseconds(400)
  /// So many reads in a row that stall, and the rest of their disk is not waited for.
  private static let stallLimit = 20

  private let makeSource: @Sendable () throws(CommandError) -> any BatchSource
  private let encoder: FileEncoder
  private let render: @Sendable (PlaceholderRecord) -> [UInt8]
  private let layout: RecordLayout
  private let previous: PreviousRecords?
  private let interruption: SignalObserver?
  private let wakeUp: WakeUp
  private let fleet: WorkerFleet<ImageReply>
  private var order: EventOrder
  /// The images that were begun and have no result, and those of them that no worker has, the next first.
  private var unfinished: [Int: BatchWork] = [:]
  private var waiting: [Int] = []
  /// What was taken from the input and not begun, the next last.
  private var taken: [InputFeed.Item] = []
  /// When images in flight at an interruption are given up.
  private var graceEnd: ContinuousClock.Instant?
  /// How the source came to its end, once it has.
  private var end: InputEnd?
  /// The reads in a row that stalled, by disk.
  private var stallCounts: [dev_t: Int] = [:]

  /// Prepares a batch.
  ///
  /// - Parameters:
  ///   - makeSource: Opens what is to be encoded, on another thread.
  ///   - encoder: How to encode it.
  ///   - render: Makes the bytes of a record.
  ///   - layout: How the bytes of records of earlier runs are made.
  ///   - workers: Where workers come from.
  ///   - size: How many there may be.
  ///   - deadlines: How long one image may take.
  ///   - isUnordered: Whether records are handed on as they come.
  ///   - previous: The records of earlier runs.
  ///   - interruption: Who may end the batch early.
  /// - Throws: That the system has no descriptors left.
  package init(
    _ makeSource: @escaping @Sendable () throws(CommandError) -> any BatchSource,
    _ encoder: FileEncoder, render: @escaping @Sendable (PlaceholderRecord) -> [UInt8],
    layout: RecordLayout = RecordLayout(.ndjson), workers: WorkerSupply, _ size: FleetSize,
    _ deadlines: WorkerDeadlines, unordered isUnordered: Bool = false,
    reusing previous: PreviousRecords? = nil, until interruption: SignalObserver? = nil
  ) throws(CommandError) {
    self.makeSource = makeSource
    self.encoder = encoder
    self.render = render
    self.layout = layout
    self.previous = previous
    self.interruption = interruption
    do {
      wakeUp = try WakeUp()
    } catch {
      throw Self.refusal(.system(error))
    }
    fleet = WorkerFleet(workers, size, deadlines, wakeUp: wakeUp) {
      bytes throws(MalformedMessage) in try ImageReply(parsing: bytes)
    }
    order = EventOrder(capacity: Self.windowCapacity, isUnordered: isUnordered, render)
  }

  /// What is called, and how often, while nothing else happens.
  package var report: (every: Duration, call: () -> Void)?

  /// The image that workers have been at for longest, and since when.
  package var awaited: (path: FilePath, since: ContinuousClock.Instant)? {
    fleet.slowest.flatMap { job, since in unfinished[job].map { ($0.path, since) } }
  }

  /// Runs the batch to its end or to an interruption.
  ///
  /// - Parameters:
  ///   - finished: Is given each new record as soon as there is one.
  ///   - receive: Is given everything in its order. After an interruption, what does
  ///     not finish soon has the record of an earlier run, or none.
  /// - Throws: What `finished` or `receive` throw, at once; what the source does, after the results
  ///   of all that it gave before.
  package func run(
    finished: (PlaceholderRecord, [UInt8]) throws(CommandError) -> Void,
    receive: (Event) throws(CommandError) -> Void
  ) throws(CommandError) {
    let feed: InputFeed
    do {
      feed = try InputFeed(makeSource, knowing: previous, capacity: Self.windowCapacity) {
        [wakeUp] in wakeUp.set()
      }
    } catch {
      throw .output("cannot start a thread: \(error); check 'ulimit -u' and 'ulimit -v'")
    }
    interruption?.onSignal { [wakeUp] in wakeUp.set() }
    defer {
      interruption?.onSignal(nil)
      feed.stop()
    }
    while true {
      try beginWork(from: feed)
      if isInterrupted, graceEnd == nil { interrupt(feed) }
      try handOut(finished)
      while let event = order.next() { try receive(event) }
      if unfinished.isEmpty, isInterrupted { break }
      if unfinished.isEmpty, order.isEmpty, let end { return try end.check() }
      try wait(finished)
      if let graceEnd, graceEnd <= .now { break }
    }
    for work in unfinished.values {
      order.finish(work.place, with: work.known.map { .reused($0) })
    }
    for event in order.rest() { try receive(event) }
  }

  private var isInterrupted: Bool {
    interruption?.received != nil
  }

  private static func refusal(_ error: WorkerError) -> CommandError {
    .output("\(error)")
  }

  /// Waits for workers, for the input, for a signal, or until it is time for a report.
  private func wait(
    _ finished: (PlaceholderRecord, [UInt8]) throws(CommandError) -> Void
  ) throws(CommandError) {
    guard !order.isReady else { return }
    let reportTime = report.map { ContinuousClock.now + $0.every }
    let results: [(job: Int, outcome: WorkerFleet<ImageReply>.Outcome)]
    do {
      results = try fleet.wait(
        until: [reportTime, graceEnd].compactMap(\.self).min(), waitingCount: waiting.count)
    } catch {
      throw Self.refusal(error)
    }
    if let reportTime, reportTime <= .now { report?.call() }
    for (job, outcome) in results {
      // What was given up on an interruption is not waited for.
      guard let work = unfinished[job] else { continue }
      switch outcome {
      case .lost: waiting.insert(job, at: 0)
      case .failed(let failure):
        noteStall(of: work, failure)
        try finish(work, work.event(RecordFailure(failure), render), finished)
      case .reply(let reply):
        noteStall(of: work, nil)
        try finish(work, work.event(reply, encoder, layout, render), finished)
      }
    }
  }

  private func finish(
    _ work: BatchWork, _ event: Event?,
    _ finished: (PlaceholderRecord, [UInt8]) throws(CommandError) -> Void
  ) throws(CommandError) {
    unfinished[work.place] = nil
    if case .record(let record, let bytes) = event { try finished(record, bytes) }
    order.finish(work.place, with: event)
  }

  /// Counts reads that stall, and stops where a disk does not answer any more.
  private func noteStall(of work: BatchWork, _ failure: WorkerFailure?) {
    guard let device = work.status?.identity.device else { return }
    guard failure == .stalled else {
      if failure == nil { stallCounts[device] = nil }
      return
    }
    stallCounts[device, default: 0] += 1
    guard stallCounts[device] == Self.stallLimit, end == nil else { return }
    taken = []
    end = InputEnd(
      .input("\(work.path): stopped after \(Self.stallLimit) stalled reads in a row on its disk"))
    for job in waiting {
      guard let work = unfinished.removeValue(forKey: job) else { continue }
      order.finish(job, with: work.event(.hanging, render))
    }
    waiting = []
  }

  /// Begins what the input has.
  private func beginWork(from feed: InputFeed) throws(CommandError) {
    while end == nil, !isInterrupted, order.hasRoom, waiting.count < Self.waitingLimit {
      do throws(CommandError) {
        if taken.isEmpty {
          guard let items = try feed.take() else {
            end = InputEnd()
            return
          }
          taken = items.reversed()
        }
        guard let item = taken.popLast() else { return }
        begin(item)
      } catch {
        end = InputEnd(error)
        return
      }
    }
  }

  private func begin(_ item: InputFeed.Item) {
    let place = order.begin()
    switch item {
    case .found(let finding, let known): begin(finding, known, place)
    case .reused(let run):
      previous?.visit(run)
      order.finish(place, with: .reusedRun(run))
    case .unvisited(let entries): order.finish(place, with: .unvisited(entries))
    }
  }

  private func begin(
    _ finding: ImageWalker.Finding, _ known: PreviousRecords.Match?, _ place: Int
  ) {
    switch finding {
    case .image(let path, let followsLinks, let isCandidate):
      if let known { previous?.visit(known) }
      switch known?.reuse {
      case .holds: order.finish(place, with: known.map { .reused($0.entry) })
      case let reuse:
        let entry = known?.entry
        add(
          BatchWork(
            place: place, path: path,
            content: .file(
              followsLinks: followsLinks, isCandidate: isCandidate && entry == nil,
              verify: reuse == .holdsIfContentDoes ? entry : nil),
            known: entry))
      }
    case .link(let path, let target): order.finish(place, withLink: path, to: target)
    case .content(let path, .success(let bytes)):
      order.expectLinks()
      add(BatchWork(place: place, path: path, content: .bytes(bytes), known: nil))
    case .content(let path, .failure(let failure)):
      order.expectLinks()
      order.finish(place, with: .failed(path, failure, render))
    case .unreadable(let path, let failure):
      let record = PlaceholderRecord(path: path, outcome: .failed(failure))
      order.finish(place, with: .unlisted(path, failure, rendered: render(record)))
    case .entered(let path): order.finish(place, with: .entered(path))
    case .left(let path): order.finish(place, with: .noImages(path))
    case .emptyList: order.finish(place, with: .emptyList)
    case .skipped(let path, let kind): order.finish(place, with: .skipped(path, kind))
    }
  }

  private func add(_ work: BatchWork) {
    unfinished[work.place] = work
    waiting.append(work.place)
  }

  /// Gives workers what waits, as far as they have room.
  private func handOut(
    _ finished: (PlaceholderRecord, [UInt8]) throws(CommandError) -> Void
  ) throws(CommandError) {
    var count = 0
    defer { waiting.removeFirst(count) }
    do throws(WorkerError) {
      while count < waiting.count, fleet.hasRoom(for: waiting.count - count) {
        guard let work = unfinished[waiting[count]],
          try handOut(work, of: waiting.count - count)
        else { return }
        count += 1
      }
    } catch {
      throw Self.refusal(error)
    }
  }

  /// Gives a worker an image; returns false if none is free for it.
  private func handOut(_ work: BatchWork, of waitingCount: Int) throws(WorkerError) -> Bool {
    switch work.content {
    case .bytes(let bytes):
      let held = bytes[...]
      return try fleet.add(
        work.place, encoder.task(byteCount: bytes.count).bytes, held.span)
    case .file(let followsLinks, let isCandidate, let old):
      let opened: (descriptor: Int32, status: FileStatus, task: ImageTask)
      do throws(RecordFailure) {
        opened = try encoder.open(
          work.path, followsLinks: followsLinks, isCandidate: isCandidate, unless: old?.key
        ).release()
      } catch {
        unfinished[work.place] = nil
        order.finish(work.place, with: work.event(error, render))
        return true
      }
      unfinished[work.place]?.status = opened.status
      try fleet.add(
        work.place, opened.task.bytes, file: opened.descriptor,
        byteCount: opened.status.byteCount, of: waitingCount)
      return true
    }
  }

  private func interrupt(_ feed: InputFeed) {
    feed.stop()
    for job in waiting {
      guard let work = unfinished.removeValue(forKey: job) else { continue }
      if let known = work.known { order.finish(job, with: .reused(known)) }
    }
    waiting = []
    graceEnd = .now + Self.gracePeriod
  }
}
