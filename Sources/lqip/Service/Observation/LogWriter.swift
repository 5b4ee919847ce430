package import LqipSystem

/// Writes lines on a thread of its own, so that a stalled reader delays no request.
///
/// What finds no room in the queue is dropped and counted.
package final class LogWriter: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var isWriting = false
    var isStopped = false
    var droppedCount = 0
  }

  /// How long lines are collected before they are written: to wake the thread for each is costly under load.
  ///
  /// What ends the program at once loses them.
  private static let delay = Duration.milliseconds(2)
  /// The most bytes that may wait to be written.
  private static let capacity = 1 << 20

  private let state: Monitor<State>

  /// Starts the thread.
  package init(descriptor: Int32 = STDERR_FILENO) throws(SystemError) {
    let state = Monitor(State())
    self.state = state
    _ = try SystemThread { Self.run(state, descriptor) }
  }

  deinit { state.update { $0.isStopped = true } }

  /// Has a line written, whose end is added, unless too many wait.
  package func write(_ line: [UInt8]) {
    state.update { state in
      guard state.waiting.count + line.count < Self.capacity else {
        state.droppedCount += 1
        return
      }
      state.waiting += line
      state.waiting.append(UInt8(ascii: "\n"))
    }
  }

  /// How many lines were dropped.
  package var droppedCount: Int {
    state.withLock(\.droppedCount)
  }

  /// Waits until everything is written, but no longer than given.
  package func flush(within time: Duration) {
    _ = state.wait(until: .now + time) { $0.waiting.isEmpty && !$0.isWriting ? true : nil }
  }

  private static func run(_ state: Monitor<State>, _ descriptor: Int32) {
    while true {
      _ = state.wait(until: nil) { !$0.waiting.isEmpty || $0.isStopped ? true : nil }
      SystemThread.sleep(for: delay)
      let lines = state.withLock { state in
        state.isWriting = true
        defer { state.waiting = [] }
        return state.waiting
      }
      guard !lines.isEmpty else { return }
      // Lines that cannot be written have nowhere else to go.
      try? FileDescriptor.writeAll(lines, to: descriptor)
      state.update { $0.isWriting = false }
    }
  }
}
