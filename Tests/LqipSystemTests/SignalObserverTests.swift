import Foundation
import Testing

@testable import LqipSystem

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
