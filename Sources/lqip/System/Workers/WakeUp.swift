import Synchronization

/// Ends a wait for workers from other threads.
package final class WakeUp: Sendable {
  /// Can be read once the wait is to end.
  let descriptor: Int32
  private let inlet: Int32
  private let isSet = Atomic<Bool>(false)

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check { unsafe pipe(&ends) }
    (descriptor, inlet) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(descriptor)
    close(inlet)
  }

  /// Ends the wait, or the next one.
  package func set() {
    guard !isSet.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 1
    _ = unsafe write(inlet, &byte, 1)
  }

  func clear() {
    var byte: UInt8 = 0
    _ = unsafe read(descriptor, &byte, 1)
    isSet.store(false, ordering: .releasing)
  }
}
