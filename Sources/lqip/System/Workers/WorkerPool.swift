/// Lends a limited number of workers to threads, in the order in which the threads request them.
///
/// The queue length and the time in the queue are limited.
package final class WorkerPool: Sendable {
  /// The reason that no worker was lent to a thread.
  package enum Refusal: Error, Hashable, Sendable {
    /// The queue is full.
    case full
    /// No worker was free before the queue deadline.
    case expired
  }

  /// A waiting thread; true once a worker is reserved for it.
  private typealias Waiter = Monitor<Bool>

  private struct State {
    /// The number of workers that can still be lent, whether already running or not.
    var free: Int
    /// Running workers that are not lent.
    var idle: [Worker] = []
    /// The waiting threads; empty while `free` is above 0.
    var queue: [Waiter] = []
  }

  package let supply: WorkerSupply
  private let count: Int
  private let state: Monitor<State>
  private let queueLimit: Int
  private let queueDeadline: Duration
  /// Called when the length of the queue has changed.
  ///
  /// The callback must not use the pool, because the pool's lock is held during the call.
  private let queueChanged: @Sendable (_ length: Int) -> Void
  /// Called when a thread has received a worker after `time` in the queue.
  private let queueLeft: @Sendable (_ time: Duration) -> Void

  /// Creates a pool that starts up to `count` workers on demand, and queues up to `queueLimit` threads.
  ///
  /// The callbacks are for metrics, and are called from many threads concurrently.
  package init(
    _ supply: WorkerSupply, count: Int, queueLimit: Int, queueDeadline: Duration,
    queueChanged: @escaping @Sendable (_ length: Int) -> Void,
    queueLeft: @escaping @Sendable (_ time: Duration) -> Void = { _ in }
  ) {
    self.supply = supply
    self.count = count
    state = Monitor(State(free: count))
    self.queueLimit = queueLimit
    self.queueDeadline = queueDeadline
    self.queueChanged = queueChanged
    self.queueLeft = queueLeft
  }

  /// The number of lent workers.
  package var lentCount: Int { count - state.withLock(\.free) }

  /// Starts a worker and waits until it is ready, to report setup errors at startup.
  package func check() throws(WorkerError) {
    guard supply.handler == nil else { return }
    let lease = WorkerLease(nil, supply)
    try lease.prepare()
    if let worker = lease.worker { state.withLock { $0.idle.append(worker) } }
  }

  /// Waits for a worker and calls `body` with it.
  ///
  /// - Throws: ``Refusal/full`` if the queue is full, or ``Refusal/expired`` at the queue deadline.
  package func withWorker<Result>(_ body: (WorkerLease) -> Result) throws(Refusal) -> Result {
    let start = MonotonicTime.now
    guard let waiter = reserve() else { throw .full }
    guard wait(waiter, until: start + queueDeadline) else { throw .expired }
    queueLeft(.now - start)
    let lease = WorkerLease(state.withLock { $0.idle.popLast() }, supply)
    defer { release(lease.worker) }
    return body(lease)
  }

  /// Reserves a worker, or joins the queue if none is free; returns `nil` if the queue is full.
  private func reserve() -> Waiter? {
    state.withLock { state in
      guard state.free == 0 else {
        state.free -= 1
        return Waiter(true)
      }
      guard state.queue.count < queueLimit else { return nil }
      let waiter = Waiter(false)
      state.queue.append(waiter)
      queueChanged(state.queue.count)
      return waiter
    }
  }

  /// Waits for a worker, or leaves the queue at the deadline; returns whether a worker was reserved.
  private func wait(_ waiter: Waiter, until deadline: MonotonicTime) -> Bool {
    if waiter.wait(until: deadline, for: { $0 ? true : nil }) != nil { return true }
    return state.withLock { state in
      // A waiter that is no longer in the queue has just received a worker.
      guard let index = state.queue.firstIndex(where: { $0 === waiter }) else { return true }
      state.queue.remove(at: index)
      queueChanged(state.queue.count)
      return false
    }
  }

  /// Returns a worker to the pool and wakes the first waiting thread.
  private func release(_ worker: Worker?) {
    let next = state.withLock { state -> Waiter? in
      if let worker { state.idle.append(worker) }
      guard !state.queue.isEmpty else {
        state.free += 1
        return nil
      }
      defer { queueChanged(state.queue.count) }
      return state.queue.removeFirst()
    }
    next?.update { $0 = true }
  }
}

/// A worker for the exclusive use of one thread.
package final class WorkerLease {
  /// The time after the start of decoding during which a half-closed connection does not cancel it.
  ///
  /// A client may close its sending end after the request and still read the response.
  private static let halfClosedTime = Duration.seconds(1)
  #if os(Linux)
  /// `POLLRDHUP`, from poll(2): the client has closed its sending end.
  private static let hangUpEvent = Int16(0x2000)
  #else
  private static let hangUpEvent = Int16(POLLHUP)
  #endif

  private(set) var worker: Worker?
  private let supply: WorkerSupply

  /// Creates a lease of a worker; with `nil`, the first use starts a worker.
  init(_ worker: Worker?, _ supply: WorkerSupply) {
    self.worker = worker
    self.supply = supply
  }

  /// Kills the worker after a malformed reply; the next image starts a new worker.
  package func discard() {
    worker?.terminate()
    worker = nil
  }

  /// Starts a worker and waits until it is ready, unless the lease has a worker below the image limit.
  func prepare() throws(WorkerError) {
    if let worker, worker.sentCount < Worker.imageLimit { return }
    // Release the slot first, because the next worker may need it.
    worker = nil
    while true {
      let started = try supply.start()
      switch try? started.receive(waits: true) {
      case .ready(_, let sandbox)?:
        try supply.noteReady(sandbox)
        worker = started
        return
      case .notStarted(let error)?: throw .system(error)
      case .ended(let status)?: try supply.noteUnready(signal: status & 0x7f)
      case .replies?, nil: try supply.noteUnready(signal: 0)
      }
    }
  }

  /// Sends an image to the worker and waits for the reply.
  ///
  /// If an idle worker ends before it starts on the image, the image is sent to a new worker. After a failure, the next
  /// image starts a new worker. The disconnection of the client, given by its socket, cancels decoding.
  package func reply(
    to request: [UInt8], _ bytes: Span<UInt8>, within deadlines: WorkerDeadlines, client: Int32?
  ) throws(WorkerFailure) -> [UInt8] {
    if let handler = supply.handler {
      return unsafe bytes.withUnsafeBytes { unsafe handler(request, .memory($0)) }
    }
    var writer = MessageWriter()
    WorkerRequest(memoryCount: bytes.count, bytes: request).add(to: &writer)
    while true {
      let wasIdle = worker != nil
      do {
        try prepare()
      } catch {
        throw .unavailable(error)
      }
      guard let worker else { preconditionFailure("a prepared lease has no worker") }
      worker.write(bytes)
      // If the worker has ended, the next receive reports it.
      try? worker.send(writer.bytes, [])
      let reply = try reply(from: worker, within: deadlines, client, wasIdle: wasIdle)
      if let reply { return reply }
    }
  }

  /// Receives the reply; returns `nil` if an idle worker ended before it started on the image.
  ///
  /// For a newly started worker, the method throws instead. Otherwise, a compromised worker could cause endless retries
  /// by pretending that it has not started on the image.
  private func reply(
    from worker: Worker, within deadlines: WorkerDeadlines, _ client: Int32?, wasIdle: Bool
  ) throws(WorkerFailure) -> [UInt8]? {
    var failure: WorkerFailure?
    while true {
      if failure == nil { failure = waitForMessage(from: worker, deadlines, client) }
      if failure != nil { worker.terminate() }
      let event: WorkerEvent?
      do {
        event = try worker.receive(waits: failure != nil)
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
        worker.markAnswered()
        return replies[0]
      case .ended(let status)?:
        self.worker = nil
        guard worker.hasStarted || failure != nil || !wasIdle else { return nil }
        throw failure ?? WorkerFailure(exitStatus: status)
      case .replies?, .ready?, .notStarted?, nil: break
      }
    }
  }

  /// Waits for a message from the worker; returns the failure if a limit is exceeded or the client disconnects.
  private func waitForMessage(
    from worker: Worker, _ deadlines: WorkerDeadlines, _ client: Int32?
  ) -> WorkerFailure? {
    let start = MonotonicTime.now
    return worker.channel.waitForMessage {
      if let failure = worker.exceededLimit(deadlines, at: .now) { return failure }
      guard let client, start.duration(to: .now) >= Self.halfClosedTime else { return nil }
      var closed = pollfd(fd: client, events: Self.hangUpEvent, revents: 0)
      return unsafe poll(&closed, 1, 0) > 0 ? .cancelled : nil
    }
  }
}
