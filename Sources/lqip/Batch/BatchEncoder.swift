package import LqipFiles
package import LqipRecords

/// Encodes what a source gives, on several cores, and hands on the results in the source's order.
///
/// The results are the same for any number of jobs. No more than the window's results are held,
/// however long one image takes.
@MainActor
package final class BatchEncoder {
  /// What the batch hands on, in the source's order.
  package enum Event: Sendable {
    /// A new record, and the bytes that are to be written for it.
    case record(PlaceholderRecord, rendered: [UInt8])
    /// A record of an earlier run that still holds.
    case reused(RecordEntry)
    /// A directory that was named and has no image.
    case noImages(FilePath)
    /// A symbolic link that would lead around in circles.
    case loop(FilePath)
  }

  /// An image that waits for a worker.
  private struct Work: Sendable {
    enum Content: Sendable {
      /// A file, and what an earlier run says of it that may still hold.
      case file(followsLinks: Bool, previous: RecordEntry?)
      case bytes([UInt8])
    }

    let place: Int
    let path: FilePath
    let content: Content
  }

  /// What other threads tell the one that keeps the order.
  private enum Message: Sendable {
    case finished(place: Int, Event)
    case sourceIsReady
    case interrupted
    case patienceIsOver
  }

  private static let windowCapacity = 1024
  /// How long images may go on after an interruption.
  nonisolated private static let patience = Duration.milliseconds(500)

  private var source: any BatchSource
  private let render: @Sendable (PlaceholderRecord) -> [UInt8]
  private let previous: PreviousRecords?
  private let interruption: SignalObserver?
  private let messages: AsyncStream<Message>
  private let inbox: AsyncStream<Message>.Continuation
  private let pool: WorkerPool<Work>
  private var window = ReorderWindow<Event>(capacity: windowCapacity)
  private var unfinishedCount = 0
  private var awaitsSource = false
  /// How the source came to its end, once it has.
  private var end: Result<Void, CommandError>?

  /// Prepares a batch.
  ///
  /// - Parameters:
  ///   - source: What to encode.
  ///   - encoder: How to encode it.
  ///   - render: Makes the bytes of a record. It is called by the workers, since it can take as long
  ///     as a small image.
  ///   - jobs: The number of images that are encoded at a time.
  ///   - previous: The records of earlier runs.
  ///   - interruption: Who may end the batch early.
  package init(
    _ source: any BatchSource, _ encoder: FileEncoder,
    render: @escaping @Sendable (PlaceholderRecord) -> [UInt8], jobs: Int,
    reusing previous: PreviousRecords? = nil, until interruption: SignalObserver? = nil
  ) {
    self.render = render
    self.source = source
    self.previous = previous
    self.interruption = interruption
    let (messages, inbox) = AsyncStream.makeStream(of: Message.self)
    self.messages = messages
    self.inbox = inbox
    pool = WorkerPool(jobs) { work in
      inbox.yield(.finished(place: work.place, Self.event(of: work, encoder, render)))
    }
  }

  /// Runs the batch to its end or to an interruption.
  ///
  /// - Parameters:
  ///   - finished: Is given each new record as soon as there is one.
  ///   - receive: Is given everything in the order of the source. After an interruption, what does
  ///     not finish soon is missing.
  /// - Throws: What `finished` or `receive` throw, at once; what the source does, after the results
  ///   of all that it gave before.
  package func run(
    finished: (PlaceholderRecord, [UInt8]) throws(CommandError) -> Void,
    receive: (Event) throws(CommandError) -> Void
  ) async throws(CommandError) {
    interruption?.onSignal { [inbox] in inbox.yield(.interrupted) }
    defer { interruption?.onSignal(nil) }
    var messages = messages.makeAsyncIterator()
    waiting: while true {
      beginWork()
      while let event = window.next() { try receive(event) }
      if unfinishedCount == 0, isInterrupted { break }
      if unfinishedCount == 0, let end { return try end.get() }
      guard unfinishedCount > 0 || awaitsSource else { continue }
      switch await messages.next() {
      case .finished(let place, let event):
        unfinishedCount -= 1
        if case .record(let record, let bytes) = event { try finished(record, bytes) }
        window.finish(place, with: event)
      case .sourceIsReady: awaitsSource = false
      case .interrupted: interrupt()
      case .patienceIsOver, nil: break waiting
      }
    }
    for event in window.finished { try receive(event) }
  }

  private var isInterrupted: Bool {
    interruption?.received != nil
  }

  private func beginWork() {
    while end == nil, !awaitsSource, !isInterrupted, window.hasRoom, pool.hasRoom {
      // Waiting here for whoever writes the source would hold back the results there are.
      if let descriptor = source.awaitedDescriptor {
        awaitsSource = true
        SystemThread.start { [inbox] in
          FileDescriptor.waitUntilReadable(descriptor)
          inbox.yield(.sourceIsReady)
        }
        return
      }
      do throws(CommandError) {
        if let finding = try source.next(knowing: isUnchanged) {
          begin(finding)
        } else {
          end = .success(())
        }
      } catch {
        end = .failure(error)
      }
    }
  }

  private func isUnchanged(_ path: FilePath) -> Bool {
    if case .unchanged = previous?.match(for: path) { true } else { false }
  }

  private func begin(_ finding: ImageWalker.Finding) {
    let place = window.begin()
    switch finding {
    case .image(let path, let followsLinks):
      switch previous?.match(for: path) {
      case .unchanged(let entry): window.finish(place, with: .reused(entry))
      case .unlessContentChanged(let entry):
        add(place, path, .file(followsLinks: followsLinks, previous: entry))
      case nil: add(place, path, .file(followsLinks: followsLinks, previous: nil))
      }
    case .content(let path, .success(let bytes)): add(place, path, .bytes(bytes))
    case .content(let path, .failure(let failure)): fail(place, path, failure)
    case .unreadable(let path, let error): fail(place, path, RecordFailure(error))
    case .noImages(let path): window.finish(place, with: .noImages(path))
    case .loop(let path): window.finish(place, with: .loop(path))
    }
  }

  private func add(_ place: Int, _ path: FilePath, _ content: Work.Content) {
    unfinishedCount += 1
    pool.add(Work(place: place, path: path, content: content))
  }

  private func fail(_ place: Int, _ path: FilePath, _ failure: RecordFailure) {
    let record = PlaceholderRecord(path: path, outcome: .failed(failure))
    window.finish(place, with: .record(record, rendered: render(record)))
  }

  private func interrupt() {
    for work in pool.removeAll() {
      unfinishedCount -= 1
      guard case .file(_, let previous?) = work.content else { continue }
      window.finish(work.place, with: .reused(previous))
    }
    SystemThread.start { [inbox] in
      SystemThread.sleep(for: Self.patience)
      inbox.yield(.patienceIsOver)
    }
  }

  nonisolated private static func event(
    of work: Work, _ encoder: FileEncoder, _ render: (PlaceholderRecord) -> [UInt8]
  ) -> Event {
    let record: PlaceholderRecord
    switch work.content {
    case .bytes(let bytes):
      record = encoder.record(of: bytes, at: work.path)
    case .file(let followsLinks, nil):
      record = encoder.record(of: work.path, followsLinks: followsLinks)
    case .file(let followsLinks, let previous?):
      let new = encoder.record(of: work.path, followsLinks: followsLinks, unless: previous.key)
      guard let new else { return .reused(previous) }
      record = new
    }
    return .record(record, rendered: render(record))
  }
}
