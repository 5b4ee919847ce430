/// The workers of many threads, which start on demand.
package final class WorkerPool: Sendable {
  /// The interval between checks of free workers.
  private static let supervisionInterval = Duration.milliseconds(100)

  package let supply: WorkerSupply
  package let queue: ResourceQueue<WorkerLease>

  /// Creates a pool that starts up to `count` workers, and queues up to `queueLimit` threads.
  package init(_ supply: WorkerSupply, count: Int, queueLimit: Int, queueDeadline: Duration) {
    self.supply = supply
    queue = ResourceQueue(
      (0..<count).map { _ in WorkerLease(supply) }, lengthLimit: queueLimit,
      deadline: queueDeadline)
  }

  /// Starts a thread that watches the free workers and the zygote.
  package func startSupervision() throws(SystemError) {
    try SystemThread.start { [supply, weak self] in
      while supply.supervise(for: Self.supervisionInterval), let pool = self {
        pool.queue.withFree { for lease in $0 { lease.checkIdle() } }
      }
    }
  }

  /// Starts a worker and waits until it is ready, to report setup errors at startup.
  package func check() throws(WorkerError) {
    guard supply.handler == nil, let lease = queue.withFree(\.last) else { return }
    try lease.prepare()
  }
}

/// A worker for the exclusive use of one thread.
package final class WorkerLease {
  /// The time after the start of decoding during which a half-closed connection does not cancel it.
  ///
  /// A client may close its sending end after the request and still read the response.
  private static let halfClosedTime = Duration.seconds(1)

  private let supply: WorkerSupply
  /// The running worker; `nil` before the first image and after a failure.
  private var worker: Worker?

  package init(_ supply: WorkerSupply) {
    self.supply = supply
  }

  /// Returns the running worker; at first, at the image limit, and if it misbehaved while it was idle, starts a worker and
  /// waits until it is ready.
  @discardableResult
  fileprivate func prepare() throws(WorkerError) -> Worker {
    checkIdle()
    if let worker, worker.sentCount < Worker.imageLimit { return worker }
    while true {
      let started = try supply.start()
      let event: WorkerEvent?
      do {
        let isPrompt = try? FileDescriptor.waitForInput(
          started.channel.descriptor, until: .now + Worker.startTimeout)
        event = isPrompt ?? false ? try started.receive() : nil
      } catch {
        event = nil
      }
      switch event {
      case .ready(_, let sandbox)?:
        try supply.noteReady(sandbox)
        worker = started
        return started
      case .notStarted(let error)?: throw .system(error)
      case .ended(let status)?: try supply.noteUnready(signal: status & 0x7f)
      case .reply?, nil: try supply.noteUnready(signal: 0)
      }
    }
  }

  /// Kills the worker if it works or sends messages without a request, or its zygote has been replaced.
  fileprivate func checkIdle() {
    if let current = worker, !supply.isCurrent(current) { worker = nil }
    guard let failure = worker?.idleFailure else { return }
    worker = nil
    supply.report(.replaced(failure))
    supply.note(failure)
  }

  /// Sends an image to the worker, waits for the reply, and parses it; after a failure, the worker is killed.
  ///
  /// If the worker has decoded other images before, one of them may have compromised it. The image is then sent to a new
  /// worker. The disconnection of the client, given by its socket, cancels decoding.
  package func reply<Reply>(
    to request: [UInt8], _ image: Span<UInt8>, within deadlines: WorkerDeadlines, client: Int32?,
    _ parse: ([UInt8]) throws(MalformedMessage) -> Reply
  ) throws(WorkerFailure) -> Reply {
    while true {
      var isUnused = true
      do throws(WorkerFailure) {
        if let handler = supply.handler {
          let reply = unsafe image.withUnsafeBytes { unsafe handler(request, .memory($0)) }
          return try Self.parsed(reply, parse)
        }
        let worker = try usableWorker()
        isUnused = worker.sentCount == 0
        try send(request, image, to: worker)
        let reply = try reply(from: worker, within: deadlines, client)
        let result = try Self.parsed(reply, parse)
        worker.markAnswered()
        return result
      } catch {
        worker = nil
        supply.note(error)
        switch error {
        case .cancelled, .unavailable: throw error
        case _ where isUnused: throw error
        default: supply.report(.replaced(error))
        }
      }
    }
  }

  private static func parsed<Reply>(
    _ reply: [UInt8], _ parse: ([UInt8]) throws(MalformedMessage) -> Reply
  ) throws(WorkerFailure) -> Reply {
    do {
      return try parse(reply)
    } catch {
      throw .malformedReply
    }
  }

  private func usableWorker() throws(WorkerFailure) -> Worker {
    do {
      return try prepare()
    } catch {
      throw .unavailable(error)
    }
  }

  private func send(
    _ request: [UInt8], _ image: Span<UInt8>, to worker: Worker
  ) throws(WorkerFailure) {
    do {
      try worker.send(request, image)
    } catch {
      // If the worker has ended, the next receive reports it.
      if error == .wouldBlock { throw .unreceptive }
    }
  }

  private func reply(
    from worker: Worker, within deadlines: WorkerDeadlines, _ client: Int32?
  ) throws(WorkerFailure) -> [UInt8] {
    while true {
      if let failure = waitForMessage(from: worker, deadlines, client) { throw failure }
      let event: WorkerEvent?
      do {
        event = try worker.receive()
      } catch {
        throw .malformedReply
      }
      switch event {
      case nil: continue
      case .reply(_, let reply)?: return reply
      case .ended(let status)?: throw WorkerFailure(exitStatus: status)
      case .ready?, .notStarted?: throw .malformedReply
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
      return FileDescriptor.isHungUp(client) ? .cancelled : nil
    }
  }
}
