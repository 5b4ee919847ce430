internal import LqipFiles

/// Lets a limited number of requests decode at a time, in the order of their arrival.
///
/// A request that cannot be decoded soon is refused: the queue is bounded, and so is the time in it.
final class DecodeSlots: Sendable {
  /// The result of asking for a response.
  enum Outcome: Sendable {
    case done(Response)
    /// The queue has no room.
    case full
    /// The turn did not come in time.
    case expired
  }

  /// A place in the queue; true once it has a slot.
  private typealias Turn = Monitor<Bool>

  private struct State {
    var free: Int
    /// Empty while a slot is free.
    var queue: [Turn] = []
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

  /// Does work on the calling thread, once there is a slot for it.
  func perform(_ work: () -> Response) -> Outcome {
    let start = ContinuousClock.now
    guard let turn = enter() else { return .full }
    guard wait(for: turn, until: start + deadline) else { return .expired }
    for observer in observers { observer.queueLeft(after: .now - start) }
    defer { leave() }
    return .done(work())
  }

  /// Takes a free slot, or a place in the queue if that has room.
  private func enter() -> Turn? {
    state.withLock { state in
      guard state.free == 0 else {
        state.free -= 1
        return Turn(true)
      }
      guard state.queue.count < capacity else { return nil }
      let turn = Turn(false)
      state.queue.append(turn)
      report(state)
      return turn
    }
  }

  /// Waits for the turn, or leaves the queue; tells whether it came.
  private func wait(for turn: Turn, until deadline: ContinuousClock.Instant) -> Bool {
    if turn.wait(until: deadline, for: { $0 ? true : nil }) != nil { return true }
    return state.withLock { state in
      // A turn that is no longer in the queue has just been given a slot.
      guard let place = state.queue.firstIndex(where: { $0 === turn }) else { return true }
      state.queue.remove(at: place)
      report(state)
      return false
    }
  }

  /// Hands the slot to the first of the queue.
  private func leave() {
    let next = state.withLock { state -> Turn? in
      guard !state.queue.isEmpty else {
        state.free += 1
        return nil
      }
      defer { report(state) }
      return state.queue.removeFirst()
    }
    next?.update { $0 = true }
  }

  private func report(_ state: State) {
    for observer in observers { observer.queueChanged(length: state.queue.count) }
  }
}
