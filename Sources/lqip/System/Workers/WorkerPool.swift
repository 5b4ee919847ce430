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

  /// A waiting thread; a lease once it has received one.
  private typealias Waiter = Monitor<WorkerLease?>

  private struct State {
    /// The leases that no thread has; the last one is lent first, because its worker is probably running.
    var free: [WorkerLease]
    /// The waiting threads; empty while a lease is free.
    var queue: [Waiter] = []
  }

  package let supply: WorkerSupply
  private let count: Int
  private let state: Monitor<State>
  private let queueLimit: Int
  private let queueDeadline: Duration

  /// Creates a pool that starts up to `count` workers on demand, and queues up to `queueLimit` threads.
  package init(_ supply: WorkerSupply, count: Int, queueLimit: Int, queueDeadline: Duration) {
    self.supply = supply
    self.count = count
    state = Monitor(State(free: (0..<count).map { _ in WorkerLease(supply) }))
    self.queueLimit = queueLimit
    self.queueDeadline = queueDeadline
  }

  /// The number of lent workers.
  package var lentCount: Int { count - state.withLock(\.free.count) }

  /// The number of waiting threads.
  package var queueLength: Int { state.withLock(\.queue.count) }

  /// Starts a worker and waits until it is ready, to report setup errors at startup.
  package func check() throws(WorkerError) {
    guard supply.handler == nil, let lease = state.withLock(\.free.last) else { return }
    try lease.prepare()
  }

  /// Waits for a worker and calls `body` with it.
  ///
  /// - Throws: ``Refusal/full`` if the queue is full, or ``Refusal/expired`` at the queue deadline.
  package func withWorker<Result>(_ body: (WorkerLease) -> Result) throws(Refusal) -> Result {
    let lease = try lease()
    defer { release(lease) }
    return body(lease)
  }

  private func lease() throws(Refusal) -> WorkerLease {
    let waiter = Waiter(nil)
    try state.withLock { state throws(Refusal) in
      if let lease = state.free.popLast() { return waiter.update { $0 = lease } }
      guard state.queue.count < queueLimit else { throw .full }
      state.queue.append(waiter)
    }
    if let lease = waiter.wait(until: .now + queueDeadline, for: { $0 }) { return lease }
    return try state.withLock { state throws(Refusal) in
      // The waiter may have received a lease in the meantime.
      if let lease = waiter.withLock({ $0 }) { return lease }
      state.queue.removeAll { $0 === waiter }
      throw .expired
    }
  }

  /// Returns a lease to the first waiting thread, or to the pool.
  private func release(_ lease: WorkerLease) {
    state.withLock { state in
      guard !state.queue.isEmpty else { return state.free.append(lease) }
      state.queue.removeFirst().update { $0 = lease }
    }
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

  private let supply: WorkerSupply
  /// The running worker; `nil` before the first image and after a failure.
  private var worker: Worker?

  init(_ supply: WorkerSupply) {
    self.supply = supply
  }

  /// Kills the worker; the next image starts a new one.
  package func discard() { worker = nil }

  /// Returns the running worker; at first, and at the image limit, starts a worker and waits until it is ready.
  @discardableResult
  fileprivate func prepare() throws(WorkerError) -> Worker {
    if let worker, worker.sentCount < Worker.imageLimit { return worker }
    // Release the slot first, because the next worker may need it.
    worker = nil
    while true {
      let started = try supply.start()
      switch try? started.receive(waits: true) {
      case .ready(_, let sandbox)?:
        try supply.noteReady(sandbox)
        worker = started
        return started
      case .notStarted(let error)?: throw .system(error)
      case .ended(let status)?: try supply.noteUnready(signal: status & 0x7f)
      case .replies?, nil: try supply.noteUnready(signal: 0)
      }
    }
  }

  /// Sends an image to the worker and waits for the reply; after a failure, the worker is killed.
  ///
  /// If an idle worker ends before it starts on the image, the image is sent to a new worker. The disconnection of the
  /// client, given by its socket, cancels decoding.
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
      let worker: Worker
      do {
        worker = try prepare()
      } catch {
        throw .unavailable(error)
      }
      worker.write(bytes)
      // If the worker has ended, the next receive reports it.
      try? worker.send(writer.bytes, [])
      do {
        if let reply = try reply(from: worker, within: deadlines, client, wasIdle: wasIdle) {
          return reply
        }
      } catch {
        discard()
        throw error
      }
    }
  }

  /// Receives the reply; returns `nil` if an idle worker ended before it started on the image.
  ///
  /// For a newly started worker, the method throws instead. Otherwise, a compromised worker could cause endless retries
  /// by pretending that it has not started on the image.
  private func reply(
    from worker: Worker, within deadlines: WorkerDeadlines, _ client: Int32?, wasIdle: Bool
  ) throws(WorkerFailure) -> [UInt8]? {
    while true {
      if let failure = waitForMessage(from: worker, deadlines, client) { throw failure }
      let event: WorkerEvent?
      do {
        event = try worker.receive(waits: false)
      } catch {
        throw .malformedReply
      }
      switch event {
      case nil: continue
      case .replies(let replies)? where replies.count == 1:
        worker.markAnswered()
        return replies[0]
      case .ended(let status)?:
        self.worker = nil
        guard wasIdle, !worker.hasStarted else { throw WorkerFailure(exitStatus: status) }
        return nil
      case .replies?, .ready?, .notStarted?: throw .malformedReply
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
      guard let client, MonotonicTime.now - start >= Self.halfClosedTime else { return nil }
      var closed = pollfd(fd: client, events: Self.hangUpEvent, revents: 0)
      return unsafe poll(&closed, 1, 0) > 0 ? .cancelled : nil
    }
  }
}
