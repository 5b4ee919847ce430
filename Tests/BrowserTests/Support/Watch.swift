import Foundation

/// Ends a process that takes longer than anything does which ends by itself.
final class Watch {
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

  /// Begins anew.
  func restart() {
    deadline?.cancel()
    let process = process
    let deadline = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: deadline)
    self.deadline = deadline
  }
}
