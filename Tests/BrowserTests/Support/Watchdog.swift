import Foundation

/// A timer that terminates a process after a time limit.
final class Watchdog {
  private let process: Process
  private let seconds: Double
  private var deadline: DispatchWorkItem?

  init(_ process: Process, seconds: Double) {
    self.process = process
    self.seconds = seconds
    restart()
  }

  deinit {
    deadline?.cancel()
  }

  /// Restarts the timer.
  func restart() {
    deadline?.cancel()
    let process = process
    // After SIGTERM, Firefox waits for its child processes.
    let deadline = DispatchWorkItem {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: deadline)
    self.deadline = deadline
  }
}
