package import LqipSystem

/// A writer of log lines with its own thread, so that a stalled log reader does not delay requests.
///
/// Lines that do not fit into the queue, or that cannot be written, are dropped and counted.
package final class LogWriter: Sendable {
  private struct State {
    var queue: [UInt8] = []
    var isWriting = false
    var isStopped = false
    var droppedCount = 0
  }

  /// The interval during which lines are collected before a write.
  ///
  /// Waking the thread for each line would be costly under load. A crash loses the lines in the queue.
  private static let delay = Duration.milliseconds(2)
  /// The maximum number of queued bytes.
  private static let capacity = 1 << 20

  private let state: Monitor<State>

  /// Starts the writer's thread.
  package init(descriptor: Int32 = STDERR_FILENO) throws(SystemError) {
    let state = Monitor(State())
    self.state = state
    try SystemThread.start { Self.run(state, descriptor) }
  }

  deinit { state.update { $0.isStopped = true } }

  /// Queues a line and adds a line break; drops the line if the queue is full.
  package func write(_ line: [UInt8]) {
    state.update { state in
      guard state.queue.count + line.count < Self.capacity else {
        state.droppedCount += 1
        return
      }
      state.queue += line
      state.queue.append(UInt8(ascii: "\n"))
    }
  }

  package var droppedCount: Int { state.withLock(\.droppedCount) }

  /// Waits until all queued lines are written, up to a time limit.
  package func flush(within time: Duration) {
    _ = state.wait(until: .now + time) { $0.queue.isEmpty && !$0.isWriting ? true : nil }
  }

  private static func run(_ state: Monitor<State>, _ descriptor: Int32) {
    while true {
      _ = state.wait(until: nil) { !$0.queue.isEmpty || $0.isStopped ? true : nil }
      SystemThread.sleep(for: delay)
      let lines = state.withLock { state in
        state.isWriting = true
        defer { state.queue = [] }
        return state.queue
      }
      guard !lines.isEmpty else { return }
      let isWritten = (try? FileDescriptor.writeAll(lines, to: descriptor)) != nil
      state.update { state in
        state.isWriting = false
        // The metrics are the only place to report an error.
        if !isWritten { state.droppedCount += lines.count { $0 == UInt8(ascii: "\n") } }
      }
    }
  }
}
