internal import LqipFiles

/// Decodes for a limited number of requests at a time, in the order of their arrival.
///
/// A request that cannot be decoded soon is refused: the queue is bounded, and so is the time in it.
/// Decoding has its own threads, which go on with the next image while the connection of the last
/// one wakes up to send the result.
final class DecodePool: Sendable {
  /// The result of asking for a response.
  enum Outcome: Sendable {
    case done(Response)
    /// The queue has no room.
    case full
    /// The turn did not come in time.
    case expired
  }

  private final class Job: Sendable {
    let work: @Sendable () -> Response
    let response = Monitor<Response?>(nil)
    let start = ContinuousClock.now

    init(_ work: @escaping @Sendable () -> Response) {
      self.work = work
    }
  }

  private struct State {
    var free: Int
    var queue: [Job] = []
    var isStopped = false
  }

  private let state: Monitor<State>
  private let capacity: Int
  private let deadline: Duration
  private let observers: [any ServerObserver]

  init(_ limits: ServerLimits, observers: [any ServerObserver]) {
    state = Monitor(State(free: limits.decodeSlotCount))
    capacity = limits.decodeQueueLength
    deadline = limits.decodeQueueDeadline
    self.observers = observers
  }

  /// Has work done by one of the threads, and waits for it.
  func perform(_ work: @escaping @Sendable () -> Response) -> Outcome {
    let job = Job(work)
    let isQueued = state.update { state in
      guard state.queue.count < capacity + state.free else { return false }
      state.queue.append(job)
      report(state)
      return true
    }
    guard isQueued else { return .full }
    if let response = job.response.wait(until: .now + deadline, for: { $0 }) {
      return .done(response)
    }
    let isExpired = state.withLock { state in
      guard let place = state.queue.firstIndex(where: { $0 === job }) else { return false }
      state.queue.remove(at: place)
      report(state)
      return true
    }
    // What has begun is bounded by the deadline of decoding.
    guard !isExpired, let response = job.response.wait(until: nil, for: { $0 }) else {
      return .expired
    }
    return .done(response)
  }

  /// Works until the pool is stopped.
  func run() {
    while let job = next() {
      for observer in observers { observer.queueLeft(after: .now - job.start) }
      let response = job.work()
      state.withLock { $0.free += 1 }
      job.response.update { $0 = response }
    }
  }

  /// Ends `run` on all threads.
  func stop() {
    state.update { $0.isStopped = true }
  }

  private func next() -> Job? {
    let job = state.wait(until: nil) { state -> Job?? in
      guard !state.isStopped else { return .some(nil) }
      guard !state.queue.isEmpty else { return nil }
      state.free -= 1
      let job = state.queue.removeFirst()
      report(state)
      return job
    }
    return job ?? nil
  }

  private func report(_ state: State) {
    let waiting = max(0, state.queue.count - state.free)
    for observer in observers { observer.queueChanged(length: waiting) }
  }
}
