/// Lets only so many requests decode at once, the rest in the order they came.
///
/// What cannot be done soon is refused rather than queued: the queue has an end, and nobody stays
/// in it longer than its deadline.
final class DecodeSlots: Sendable {
  /// What came of asking for a slot.
  enum Outcome: Sendable {
    case granted
    /// The queue has no room.
    case full
    /// The turn did not come in time.
    case expired
  }

  private struct State {
    var free: Int
    /// Who waits, each for a word of its own.
    var queue: [Monitor<Bool>] = []
  }

  private let state: Monitor<State>
  private let queueLength: Int
  private let deadline: Duration
  private let observers: [any ServerObserver]

  init(_ limits: ServerLimits, observers: [any ServerObserver]) {
    state = Monitor(State(free: limits.decodeSlotCount))
    queueLength = limits.decodeQueueLength
    deadline = limits.decodeQueueDeadline
    self.observers = observers
  }

  /// Takes a slot, which has to be released if it is granted.
  func acquire() -> Outcome {
    let turn = Monitor(false)
    let outcome = state.withLock { state -> Outcome? in
      if state.free > 0 {
        state.free -= 1
        return .granted
      }
      guard state.queue.count < queueLength else { return .full }
      state.queue.append(turn)
      report(state)
      return nil
    }
    if let outcome { return outcome }
    let isGranted = turn.wait(until: .now + deadline) { $0 ? true : nil }
    if isGranted != nil { return .granted }
    return state.withLock { state in
      // The turn may have come at the last moment.
      guard let place = state.queue.firstIndex(where: { $0 === turn }) else { return .granted }
      state.queue.remove(at: place)
      report(state)
      return .expired
    }
  }

  /// Gives a slot back, to the one that has waited longest if anyone waits.
  func release() {
    state.withLock { state in
      guard !state.queue.isEmpty else {
        state.free += 1
        return
      }
      state.queue.removeFirst().update { $0 = true }
      report(state)
    }
  }

  private func report(_ state: State) {
    for observer in observers { observer.queueChanged(length: state.queue.count) }
  }
}
