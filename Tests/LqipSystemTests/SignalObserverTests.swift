import Foundation
import Testing

@testable import LqipSystem

/// Tests of signal handling, each in its own process.
@Suite struct SignalObserverTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `the first signal ends a wait`(signal: Int32) async {
    await #expect(processExitsWith: .exitCode(7)) { [signal] in
      let observer = try SignalObserver()
      kill(getpid(), signal)
      observer.wait()
      exit(observer.received == signal ? 7 : 1)
    }
  }

  @Test func `a second signal ends the process immediately`() async {
    await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
      let observer = try SignalObserver()
      kill(getpid(), SIGINT)
      observer.wait()
      kill(getpid(), SIGTERM)
      while true { sleep(1) }
    }
  }

  @Test func `a SIGTERM repeated within a second is ignored`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let observer = try SignalObserver()
      kill(getpid(), SIGTERM)
      observer.wait()
      kill(getpid(), SIGTERM)
      usleep(300_000)
      exit(7)
    }
  }

  @Test func `a SIGTERM repeated after a second ends the process immediately`() async {
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
      observer.onSignal { exit(7) }
    }
  }

  @Test func `SIGHUP only calls the reload handler`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let observer = try SignalObserver { exit(7) }
      kill(getpid(), SIGHUP)
      observer.wait()
    }
  }
}
