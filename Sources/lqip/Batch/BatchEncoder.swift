package import LqipFiles
package import LqipRecords

/// Encodes what a source gives, on several cores, and hands on the results in the source's order, or as
/// they come.
///
/// The results are the same for any number of jobs. No more than the window's results are held,
/// however long one image takes.
@MainActor
package final class BatchEncoder {
  /// What came of an image: an event, or nothing for what turned out to be none.
  private typealias Outcome = Event?

  /// What other threads tell the one that keeps the order.
  private enum Message: Sendable {
    case finished(BatchWork, Outcome)
    case inputIsReady
    case interrupted
  }

  /// What waits for the thread that keeps the order.
  private struct Mail: Sendable {
    var messages: [Message] = []
    /// Whether the thread would rather have several at a time, and whether one of these must not wait.
    var gathers = false
    var isUrgent = false

    mutating func take() -> [Message]? {
      defer { (messages, isUrgent) = ([], false) }
      return messages.isEmpty ? nil : messages
    }
  }

  private static let windowCapacity = 1024
  /// How long results may gather, unless work runs short: each wake-up costs a fiftieth of a small image.
  nonisolated private static let gatheringTime = Duration.milliseconds(2)
  /// How long nothing may come before what hangs is looked for.
  nonisolated private static let unwatchedTime = Duration.milliseconds(100)
  /// How long images may go on after an interruption.
  nonisolated private static let gracePeriod = Duration.milliseconds(400)

  private let makeSource: @Sendable () throws(CommandError) -> any BatchSource
  private let render: @Sendable (PlaceholderRecord) -> [UInt8]
  private let previous: PreviousRecords?
  private let interruption: SignalObserver?
  private let mail = Monitor(Mail())
  private let pool: ImagePool<BatchWork, Outcome>
  private var order: EventOrder
  private var unfinished: [Int: BatchWork] = [:]
  /// What was taken from the input and not begun, the next last.
  private var taken: [InputFeed.Item] = []
  /// When images that are under way at an interruption are given up.
  private var graceEnd: ContinuousClock.Instant?
  /// How the source came to its end, once it has.
  private var end: InputEnd?

  /// Prepares a batch.
  ///
  /// - Parameters:
  ///   - makeSource: Opens what is to be encoded, on another thread.
  ///   - encoder: How to encode it.
  ///   - render: Makes the bytes of a record. It is called by the workers, since it can take as long
  ///     as a small image.
  ///   - layout: How the bytes of records of earlier runs are made.
  ///   - concurrency: How many images are worked on at a time.
  ///   - isUnordered: Whether records are handed on as they come.
  ///   - previous: The records of earlier runs.
  ///   - interruption: Who may end the batch early.
  package init(
    _ makeSource: @escaping @Sendable () throws(CommandError) -> any BatchSource,
    _ encoder: FileEncoder, render: @escaping @Sendable (PlaceholderRecord) -> [UInt8],
    layout: RecordLayout = RecordLayout(.ndjson), _ concurrency: Concurrency,
    unordered isUnordered: Bool = false,
    reusing previous: PreviousRecords? = nil, until interruption: SignalObserver? = nil
  ) {
    self.render = render
    self.makeSource = makeSource
    self.previous = previous
    self.interruption = interruption
    order = EventOrder(capacity: Self.windowCapacity, isUnordered: isUnordered, render)
    pool = ImagePool(concurrency) { [mail] work, outcome, wantsMore in
      Self.send(
        .finished(work, outcome ?? work.event(.hanging, render)), to: mail, atOnce: wantsMore)
    } perform: { work, turn in
      work.event(encoder, layout, render, turn)
    }
  }

  /// What is called, and how often, while nothing else happens.
  package var report: (every: Duration, call: () -> Void)?

  /// What the batch waits for, and since when.
  package var awaited: (path: FilePath, since: ContinuousClock.Instant)? {
    pool.slowest.map { ($0.work.path, $0.since) }
  }

  /// How many reads were given up.
  package var abandonedCount: Int {
    pool.abandonedCount
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
        [mail] in Self.send(.inputIsReady, to: mail)
      }
    } catch {
      throw Self.refusal(error)
    }
    interruption?.onSignal { [mail] in Self.send(.interrupted, to: mail) }
    defer {
      interruption?.onSignal(nil)
      feed.stop()
      pool.stop()
    }
    while true {
      let isWaiting = try beginWork(from: feed)
      while let event = order.next() { try receive(event) }
      if unfinished.isEmpty, isInterrupted { break }
      if unfinished.isEmpty, order.isEmpty, let end { return try end.check() }
      guard isWaiting else { continue }
      for message in nextMessages() {
        switch message {
        case .finished(let work, let outcome):
          // What was given up on an interruption is not waited for.
          guard unfinished.removeValue(forKey: work.place) != nil else { continue }
          if case .record(let record, let bytes) = outcome { try finished(record, bytes) }
          order.finish(work.place, with: outcome)
        case .inputIsReady: break
        case .interrupted: interrupt(feed)
        }
      }
      if let graceEnd, graceEnd <= .now { break }
    }
    for work in unfinished.values {
      order.finish(work.place, with: work.known.map { .reused($0) })
    }
    for event in order.rest() { try receive(event) }
  }

  nonisolated private static func send(
    _ message: Message, to mail: Monitor<Mail>, atOnce isUrgent: Bool = true
  ) {
    let wakes = mail.withLock { mail in
      mail.messages.append(message)
      mail.isUrgent = mail.isUrgent || isUrgent
      return mail.isUrgent || !mail.gathers
    }
    if wakes { mail.updateOne { _ in } }
  }

  /// Waits until other threads have something to tell, or until it is time for something else.
  private func nextMessages() -> [Message] {
    let gathered = mail.wait(until: .now + Self.gatheringTime) { mail in
      mail.gathers = true
      return mail.isUrgent ? mail.take() : nil
    }
    func messages(until deadline: ContinuousClock.Instant?) -> [Message]? {
      mail.wait(until: deadline) { mail in
        mail.gathers = false
        return mail.take()
      }
    }
    if let messages = gathered ?? messages(until: .now) { return messages }
    // Where nothing comes for a while and cores are idle, more is read at a time.
    while pool.startReader() {
      if let messages = messages(until: .now + Self.gatheringTime) { return messages }
    }
    let now = ContinuousClock.now
    let watchTime = pool.isWatched ? nil : now + Self.unwatchedTime
    let reportTime = report.map { now + $0.every }
    let ends = [watchTime, reportTime, graceEnd].compactMap(\.self)
    if let messages = messages(until: ends.min()) { return messages }
    if let watchTime, watchTime <= .now { pool.startWatching() }
    if let reportTime, reportTime <= .now { report?.call() }
    return []
  }

  private static func refusal(_ error: SystemError) -> CommandError {
    .output("cannot start a thread: \(error); check 'ulimit -u' and 'ulimit -v'")
  }

  private var isInterrupted: Bool {
    interruption?.received != nil
  }

  /// Begins what there is to begin, and tells whether there is something to wait for.
  private func beginWork(from feed: InputFeed) throws(CommandError) -> Bool {
    while end == nil, !isInterrupted, order.hasRoom, pool.hasRoom {
      do throws(CommandError) {
        if taken.isEmpty {
          guard let items = try feed.take() else {
            end = InputEnd()
            return false
          }
          taken = items.reversed()
        }
        guard let item = taken.popLast() else { return true }
        try begin(item)
      } catch {
        end = InputEnd(error)
        return false
      }
    }
    return !order.isReady && !(unfinished.isEmpty && (isInterrupted || end != nil))
  }

  private func begin(_ item: InputFeed.Item) throws(CommandError) {
    let place = order.begin()
    switch item {
    case .found(let finding, let known): try begin(finding, known, place)
    case .reused(let run):
      previous?.visit(run)
      order.finish(place, with: .reusedRun(run))
    case .unvisited(let entries): order.finish(place, with: .unvisited(entries))
    }
  }

  private func begin(
    _ finding: ImageWalker.Finding, _ known: PreviousRecords.Match?, _ place: Int
  ) throws(CommandError) {
    switch finding {
    case .image(let path, let followsLinks, let isCandidate):
      if let known { previous?.visit(known) }
      switch known?.reuse {
      case .holds: order.finish(place, with: known.map { .reused($0.entry) })
      case let reuse:
        let entry = known?.entry
        try add(
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
      try add(BatchWork(place: place, path: path, content: .bytes(bytes), known: nil))
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

  private func add(_ work: BatchWork) throws(CommandError) {
    unfinished[work.place] = work
    do {
      try pool.add(work)
    } catch {
      unfinished[work.place] = nil
      order.finish(work.place, with: work.known.map { .reused($0) })
      throw Self.refusal(error)
    }
  }

  private func interrupt(_ feed: InputFeed) {
    feed.stop()
    for work in pool.removeAll() {
      unfinished[work.place] = nil
      if let known = work.known { order.finish(work.place, with: .reused(known)) }
    }
    graceEnd = .now + Self.gracePeriod
  }
}
