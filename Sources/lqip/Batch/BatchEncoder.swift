package import LqipFiles
package import LqipRecords

/// Encodes what a source gives, on several cores, and hands on the results in the source's order.
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
    case gracePeriodExpired
  }

  private static let windowCapacity = 1024
  /// How long images may go on after an interruption.
  nonisolated private static let gracePeriod = Duration.milliseconds(400)

  private let makeSource: @Sendable () throws(CommandError) -> any BatchSource
  private let render: @Sendable (PlaceholderRecord) -> [UInt8]
  private let previous: PreviousRecords?
  private let interruption: SignalObserver?
  private let messages: AsyncStream<Message>
  private let inbox: AsyncStream<Message>.Continuation
  private let pool: ImagePool<BatchWork, Outcome>
  private var window = ReorderWindow<Outcome>(capacity: windowCapacity)
  private var unfinished: [Int: BatchWork] = [:]
  /// What was taken from the input and not begun, the next last.
  private var taken: [InputFeed.Item] = []
  /// How the source came to its end, once it has.
  private var end: Result<Void, CommandError>?
  /// The directory that was named last, and whether it has an image.
  private var directory: (path: FilePath, isEmpty: Bool)?

  /// Prepares a batch.
  ///
  /// - Parameters:
  ///   - makeSource: Opens what is to be encoded, on another thread.
  ///   - encoder: How to encode it.
  ///   - render: Makes the bytes of a record. It is called by the workers, since it can take as long
  ///     as a small image.
  ///   - layout: How the bytes of records of earlier runs are made.
  ///   - concurrency: How many images are worked on at a time.
  ///   - previous: The records of earlier runs.
  ///   - interruption: Who may end the batch early.
  package init(
    _ makeSource: @escaping @Sendable () throws(CommandError) -> any BatchSource,
    _ encoder: FileEncoder, render: @escaping @Sendable (PlaceholderRecord) -> [UInt8],
    layout: RecordLayout = RecordLayout(.ndjson), _ concurrency: Concurrency,
    reusing previous: PreviousRecords? = nil, until interruption: SignalObserver? = nil
  ) {
    self.render = render
    self.makeSource = makeSource
    self.previous = previous
    self.interruption = interruption
    let (messages, inbox) = AsyncStream.makeStream(of: Message.self)
    self.messages = messages
    self.inbox = inbox
    pool = ImagePool(concurrency) { work, outcome in
      inbox.yield(.finished(work, outcome ?? work.event(.hanging, render)))
    } perform: { work, turn in
      work.event(encoder, layout, render, turn)
    }
  }

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
  ///   - receive: Is given everything in the order of the source. After an interruption, what does
  ///     not finish soon has the record of an earlier run, or none.
  /// - Throws: What `finished` or `receive` throw, at once; what the source does, after the results
  ///   of all that it gave before.
  package func run(
    finished: (PlaceholderRecord, [UInt8]) throws(CommandError) -> Void,
    receive: (Event) throws(CommandError) -> Void
  ) async throws(CommandError) {
    let feed: InputFeed
    do {
      feed = try InputFeed(makeSource, knowing: previous, capacity: Self.windowCapacity) {
        [inbox] in inbox.yield(.inputIsReady)
      }
    } catch {
      throw .failed("cannot start a thread: \(error)")
    }
    interruption?.onSignal { [inbox] in inbox.yield(.interrupted) }
    if interruption?.received != nil { inbox.yield(.interrupted) }
    defer {
      interruption?.onSignal(nil)
      feed.stop()
      pool.stop()
    }
    var messages = messages.makeAsyncIterator()
    waiting: while true {
      let isWaiting = try beginWork(from: feed)
      while let outcome = window.next() { try hand(on: outcome, receive) }
      if unfinished.isEmpty, isInterrupted { break }
      if unfinished.isEmpty, window.isEmpty, let end { return try end.get() }
      guard isWaiting else { continue }
      switch await messages.next() {
      case .finished(let work, let outcome):
        // What was given up on an interruption is not waited for.
        guard unfinished.removeValue(forKey: work.place) != nil else { continue }
        if case .record(let record, let bytes) = outcome { try finished(record, bytes) }
        window.finish(work.place, with: outcome)
      case .inputIsReady: break
      case .interrupted: interrupt(feed)
      case .gracePeriodExpired, nil: break waiting
      }
    }
    for work in unfinished.values {
      window.finish(work.place, with: work.known.map { .reused($0) })
    }
    for outcome in window.finished { try hand(on: outcome, receive) }
  }

  private var isInterrupted: Bool {
    interruption?.received != nil
  }

  /// Hands on an event, and what it tells of the directory that it lies in.
  private func hand(
    on outcome: Outcome, _ receive: (Event) throws(CommandError) -> Void
  ) throws(CommandError) {
    guard let outcome else { return }
    switch outcome {
    case .noImages(let path):
      defer { directory = nil }
      if let directory, directory.path == path, !directory.isEmpty { return }
    case .entered(let path): directory = (path, isEmpty: true)
    case .emptyList, .skipped: break
    default: directory?.isEmpty = false
    }
    try receive(outcome)
  }

  /// Begins what there is to begin, and tells whether there is something to wait for.
  private func beginWork(from feed: InputFeed) throws(CommandError) -> Bool {
    while end == nil, !isInterrupted, window.hasRoom, pool.hasRoom {
      do throws(CommandError) {
        if taken.isEmpty {
          guard let items = try feed.take() else {
            end = .success(())
            return false
          }
          taken = items.reversed()
        }
        guard let item = taken.popLast() else { return true }
        try begin(item)
      } catch {
        end = .failure(error)
        return false
      }
    }
    return !window.isReady && !(unfinished.isEmpty && (isInterrupted || end != nil))
  }

  private func begin(_ item: InputFeed.Item) throws(CommandError) {
    let place = window.begin()
    switch item.finding {
    case .image(let path, let followsLinks, let isCandidate):
      if let known = item.known { previous?.visit(known) }
      switch item.known?.reuse {
      case .holds: window.finish(place, with: item.known.map { .reused($0.entry) })
      case let reuse:
        let entry = item.known?.entry
        try add(
          BatchWork(
            place: place, path: path,
            content: .file(
              followsLinks: followsLinks, isCandidate: isCandidate && entry == nil,
              verify: reuse == .holdsIfContentDoes ? entry : nil),
            known: entry))
      }
    case .content(let path, .success(let bytes)):
      try add(BatchWork(place: place, path: path, content: .bytes(bytes), known: nil))
    case .content(let path, .failure(let failure)):
      window.finish(place, with: .failed(path, failure, render))
    case .unreadable(let path, let error):
      let failure = RecordFailure(error)
      let record = PlaceholderRecord(path: path, outcome: .failed(failure))
      window.finish(place, with: .unlisted(path, failure, rendered: render(record)))
    case .entered(let path): window.finish(place, with: .entered(path))
    case .left(let path): window.finish(place, with: .noImages(path))
    case .emptyList: window.finish(place, with: .emptyList)
    case .skipped(let path, let kind): window.finish(place, with: .skipped(path, kind))
    }
  }

  private func add(_ work: BatchWork) throws(CommandError) {
    unfinished[work.place] = work
    do {
      try pool.add(work)
    } catch {
      throw .failed("cannot start a thread: \(error)")
    }
  }

  private func interrupt(_ feed: InputFeed) {
    feed.stop()
    for work in pool.removeAll() {
      unfinished[work.place] = nil
      if let known = work.known { window.finish(work.place, with: .reused(known)) }
    }
    let end: @Sendable () -> Void = { [inbox] in
      SystemThread.sleep(for: Self.gracePeriod)
      inbox.yield(.gracePeriodExpired)
    }
    // Without another thread, the grace is over at once.
    do { _ = try SystemThread(end) } catch { inbox.yield(.gracePeriodExpired) }
  }
}
