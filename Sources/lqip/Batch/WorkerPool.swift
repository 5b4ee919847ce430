import Synchronization

/// Does work on several cores, in the order it comes.
///
/// No more than its number of workers runs at a time, and each takes new work without waiting for
/// anyone.
final class WorkerPool<Work: Sendable>: Sendable {
  private struct State {
    var waiting: [Work] = []
    var workers = 0
  }

  private let capacity: Int
  private let perform: @Sendable (Work) -> Void
  private let state = Mutex(State())

  init(_ capacity: Int, perform: @escaping @Sendable (Work) -> Void) {
    self.capacity = capacity
    self.perform = perform
  }

  /// Whether more work would soon find a worker.
  var hasRoom: Bool {
    state.withLock { $0.waiting.count < capacity }
  }

  /// Hands in work.
  func add(_ work: Work) {
    let startsWorker = state.withLock { state in
      state.waiting.append(work)
      guard state.workers < capacity else { return false }
      state.workers += 1
      return true
    }
    if startsWorker {
      Task.detached { [self] in
        while let work = next() { perform(work) }
      }
    }
  }

  /// Takes back all work that no worker has begun.
  func removeAll() -> [Work] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// The next piece of work; without any, the worker is counted out.
  private func next() -> Work? {
    state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.workers -= 1
      return nil
    }
  }
}
