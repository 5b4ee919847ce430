import Synchronization

/// A pipe through which other threads can wake a thread that waits in `poll`.
package final class WakeUp: Sendable {
  /// The read end, which is readable after `set()`.
  package let descriptor: Int32
  private let writeEnd: Int32
  private let isSet = Atomic<Bool>(false)

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check { unsafe pipe(&ends) }
    (descriptor, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  /// Ends the current wait, or the next one if no thread is waiting.
  package func set() {
    guard !isSet.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 1
    _ = unsafe write(writeEnd, &byte, 1)
  }

  /// Resets the pipe, so that `descriptor` is no longer readable.
  ///
  /// The caller must check for work afterwards, because a `set()` during this call may not end the next wait.
  func clear() {
    var byte: UInt8 = 0
    _ = unsafe read(descriptor, &byte, 1)
    isSet.store(false, ordering: .releasing)
  }
}
