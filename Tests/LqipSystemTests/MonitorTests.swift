import Foundation
import Testing

@testable import LqipSystem

@Suite struct MonitorTests {
  @Test func `an update wakes a waiting thread`() throws {
    let monitor = Monitor(false)
    try SystemThread.start {
      // The other thread must fall asleep first. Otherwise, the test passes without a wake-up.
      _ = monitor.wait(until: .now + .milliseconds(50)) { $0 ? true : nil }
      monitor.update { $0 = true }
    }
    #expect(monitor.wait(until: .now + .seconds(20)) { $0 ? true : nil } == true)
  }

  @Test func `a wait returns nil at its deadline`() {
    let monitor = Monitor(0)
    #expect(monitor.wait(until: .now) { $0 > 0 ? true : nil } == nil)
    #expect(monitor.wait(until: .now + .milliseconds(20)) { $0 > 0 ? true : nil } == nil)
    monitor.update { $0 = 1 }
    #expect(monitor.wait(until: .now) { $0 > 0 ? true : nil } == true)
  }

  @Test func `concurrent updates are not lost`() throws {
    let monitor = Monitor(0)
    for _ in 1...8 {
      try SystemThread.start { for _ in 1...1000 { monitor.update { $0 += 1 } } }
    }
    #expect(monitor.wait(until: .now + .seconds(20)) { $0 == 8000 ? $0 : nil } == 8000)
  }
}

@Suite struct SystemThreadTests {
  @Test func `a sleep lasts at least the requested duration`() {
    let start = MonotonicTime.now
    SystemThread.sleep(for: .milliseconds(5))
    #expect(.now - start >= .milliseconds(5))
  }
}
