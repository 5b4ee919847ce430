/// Lends workers to threads, a limited number at a time and in the order of their arrival.
///
/// Who cannot have a worker soon is refused: the queue is bounded, and so is the time in it.
package final class WorkerPool: Sendable {
  /// Why a thread got no worker.
  package enum Refusal: Error, Hashable, Sendable {
    /// The queue has no room.
    case full
    /// The turn did not come in time.
    case expired
  }

  /// What the pool reports, from many threads at once.
  package struct Observer: Sendable {
    /// The number of threads that wait for a worker has changed.
    package var queueChanged: @Sendable (_ length: Int) -> Void = { _ in }
    /// A thread got a worker after this time.
    package var queueLeft: @Sendable (_ time: Duration) -> Void = { _ in }

    package init() {}
  }

  /// A place in the queue; true once it has a worker.
  private typealias Turn = Monitor<Bool>

  private struct State {
    /// How many more workers may be lent.
    var free: Int
    /// Workers that nobody has.
    var idle: [Worker] = []
    /// Empty while workers are free.
    var queue: [Turn] = []
  }

  private let supply: WorkerSupply
  private let count: Int
  private let state: Monitor<State>
  private let queueLimit: Int
  private let queueDeadline: Duration
  private let observer: Observer

  /// Prepares a pool without workers.
  ///
  /// - Parameters:
  ///   - supply: Where they come from.
  ///   - count: How many are lent at a time.
  ///   - queueLimit: How many threads may wait.
  ///   - queueDeadline: How long they may.
  ///   - observer: Hears of the queue.
  package init(
    _ supply: WorkerSupply, count: Int, queueLimit: Int, queueDeadline: Duration,
    observer: Observer = Observer()
  ) {
    self.supply = supply
    self.count = count
    state = Monitor(State(free: count))
    self.queueLimit = queueLimit
    self.queueDeadline = queueDeadline
    self.observer = observer
  }

  /// How many workers are lent.
  package var lentCount: Int { count - state.withLock(\.free) }

  /// The walls around the workers; nil before the first one is ready.
  package var sandbox: Sandbox? { supply.sandbox }

  /// Starts a worker and waits until it is ready, so that what is wrong shows at once.
  package func check() throws(WorkerError) {
    guard supply.handler == nil else { return }
    let lease = WorkerLease(nil, supply)
    try lease.prepare()
    if let worker = lease.worker { state.withLock { $0.idle.append(worker) } }
  }

  /// Lends a worker to the calling thread while it does some work.
  package func withWorker<Result>(
    _ body: (WorkerLease) -> Result
  ) throws(Refusal) -> Result {
    let start = ContinuousClock.now
    guard let turn = enter() else { throw .full }
    guard wait(for: turn, until: start + queueDeadline) else { throw .expired }
    observer.queueLeft(.now - start)
    let lease = WorkerLease(state.withLock { $0.idle.popLast() }, supply)
    defer { leave(lease.worker) }
    return body(lease)
  }

  /// Takes a free worker, or a place in the queue if that has room.
  private func enter() -> Turn? {
    state.withLock { state in
      guard state.free == 0 else {
        state.free -= 1
        return Turn(true)
      }
      guard state.queue.count < queueLimit else { return nil }
      let turn = Turn(false)
      state.queue.append(turn)
      observer.queueChanged(state.queue.count)
      return turn
    }
  }

  /// Waits for the turn, or leaves the queue; returns whether it came.
  private func wait(for turn: Turn, until deadline: ContinuousClock.Instant) -> Bool {
    if turn.wait(until: deadline, for: { $0 ? true : nil }) != nil { return true }
    return state.withLock { state in
      // A turn that is no longer in the queue has just been given a worker.
      guard let place = state.queue.firstIndex(where: { $0 === turn }) else { return true }
      state.queue.remove(at: place)
      observer.queueChanged(state.queue.count)
      return false
    }
  }

  /// Hands the place to the first of the queue.
  private func leave(_ worker: Worker?) {
    let next = state.withLock { state -> Turn? in
      if let worker { state.idle.append(worker) }
      guard !state.queue.isEmpty else {
        state.free += 1
        return nil
      }
      defer { observer.queueChanged(state.queue.count) }
      return state.queue.removeFirst()
    }
    next?.update { $0 = true }
  }
}

/// A worker that a thread has for itself.
package final class WorkerLease {
  /// How often a busy worker is looked at.
  private static let watchInterval: Int32 = 50
  /// A client that has closed its end may still read: only after this long it counts as gone.
  private static let hangUpTime = Duration.seconds(1)
  #if os(Linux)
  /// The client has closed its end; source: poll(2).
  private static let hangUp = Int16(0x2000)
  #else
  private static let hangUp = Int16(POLLHUP)
  #endif

  private(set) var worker: Worker?
  private let supply: WorkerSupply
  private var buffer: [UInt8] = []

  /// Takes a worker, or starts one when it is needed.
  init(_ worker: Worker?, _ supply: WorkerSupply) {
    self.worker = worker
    self.supply = supply
  }

  /// Starts a worker when it is needed, for a process that decodes one image.
  package convenience init(_ supply: WorkerSupply) {
    self.init(nil, supply)
  }

  /// Does without the worker from now on, whose replies make no sense.
  package func discard() {
    worker?.terminate()
    worker = nil
  }

  /// Starts a worker if there is none.
  func prepare() throws(WorkerError) {
    if let worker, worker.sentCount < Worker.imageLimit { return }
    // Its slot goes to the next one.
    worker = nil
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: WorkerChannel.capacity) }
    while true {
      let started = try supply.start()
      switch try? started.receive(into: &buffer, waits: true) {
      case .ready(_, let sandbox)?:
        try supply.note(sandbox)
        worker = started
        return
      case .notStarted(let error)?: throw .system(error)
      case .ended(let status)?: try supply.noteUnready(signal: status & 0x7f)
      case .replies?, nil: try supply.noteUnready(signal: 0)
      }
    }
  }

  /// Has an image decoded.
  ///
  /// - Parameters:
  ///   - request: What the worker is to do.
  ///   - bytes: The image.
  ///   - deadlines: How long that may take.
  ///   - client: A socket whose other end wants the reply; nil for none.
  /// - Returns: The reply.
  /// - Throws: Why there is none; the worker is replaced then.
  package func reply(
    to request: [UInt8], _ bytes: Span<UInt8>, within deadlines: WorkerDeadlines,
    client: Int32? = nil
  ) throws(WorkerFailure) -> [UInt8] {
    if let handler = supply.handler {
      return unsafe bytes.withUnsafeBytes {
        unsafe handler(WorkerInput(request: MessageReader(request), source: .memory($0)))
      }
    }
    var writer = MessageWriter()
    WorkerRequest(source: .memory(bytes.count), bytes: request).add(to: &writer)
    while true {
      do {
        try prepare()
      } catch {
        throw .unavailable(error)
      }
      guard let worker else { preconditionFailure("a lease that is prepared has a worker") }
      worker.write(bytes)
      // A worker that has ended meanwhile says so below.
      try? worker.send(writer.bytes, [])
      if let reply = try reply(from: worker, within: deadlines, client) { return reply }
    }
  }

  /// Waits for the reply; nil if the worker had ended before it began.
  private func reply(
    from worker: Worker, within deadlines: WorkerDeadlines, _ client: Int32?
  ) throws(WorkerFailure) -> [UInt8]? {
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: WorkerChannel.capacity) }
    var failure: WorkerFailure?
    while true {
      if failure == nil { failure = overdue(worker, deadlines, client) }
      if failure != nil { worker.terminate() }
      let event: WorkerEvent?
      do {
        event = try worker.receive(into: &buffer, waits: failure != nil)
      } catch {
        failure = failure ?? .malformedReply
        continue
      }
      switch event {
      case .replies(let replies)? where failure == nil:
        guard replies.count == 1 else {
          failure = .malformedReply
          break
        }
        worker.accept()
        return replies[0]
      case .ended(let status)?:
        self.worker = nil
        guard worker.hasBegun || failure != nil else { return nil }
        throw failure ?? WorkerFailure(exitStatus: status)
      case .replies?, .ready?, .notStarted?, nil: break
      }
    }
  }

  /// Waits until the worker has something to say; returns why it has to be killed, if it has.
  private func overdue(
    _ worker: Worker, _ deadlines: WorkerDeadlines, _ client: Int32?
  ) -> WorkerFailure? {
    let start = ContinuousClock.now
    var polled = pollfd(fd: worker.channel.descriptor, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&polled, 1, Self.watchInterval) <= 0 {
      if let failure = worker.overdue(deadlines, at: .now) { return failure }
      guard let client, start.duration(to: .now) >= Self.hangUpTime else { continue }
      var closed = pollfd(fd: client, events: Self.hangUp, revents: 0)
      if unsafe poll(&closed, 1, 0) > 0 { return .cancelled }
    }
    return nil
  }
}
