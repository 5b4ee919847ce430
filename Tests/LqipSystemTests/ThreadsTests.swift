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

/// Tests of signal handling, each in its own process.
@Suite struct SignalObserverTests {
  @Test func `a SIGTERM more than one second after the first ends the process immediately`() async {
    await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
      let observer = try SignalObserver()
      kill(getpid(), SIGTERM)
      observer.wait()
      usleep(1_100_000)
      kill(getpid(), SIGTERM)
      while true { sleep(1) }
    }
  }

  @Test func `a handler set after a signal is called immediately`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let observer = try SignalObserver()
      kill(getpid(), SIGTERM)
      observer.wait()
      observer.onSignal { _ in exit(7) }
    }
  }
}
