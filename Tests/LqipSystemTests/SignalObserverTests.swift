import Foundation
import Testing

@testable import LqipSystem

/// Signals go to the process: the threads that run tests block them.
@Suite struct SignalObserverTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `the first signal ends the wait`(signal: Int32) async {
    await #expect(processExitsWith: .exitCode(7)) { [signal] in
      let observer = try SignalObserver()
      kill(getpid(), signal)
      observer.wait()
      exit(observer.received == signal ? 7 : 1)
    }
  }

  @Test func `a second signal ends the process`() async {
    await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
      let observer = try SignalObserver()
      kill(getpid(), SIGINT)
      observer.wait()
      kill(getpid(), SIGTERM)
      while true { sleep(1) }
    }
  }

  @Test func `an earlier signal is reported at once`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let observer = try SignalObserver()
      kill(getpid(), SIGTERM)
      observer.wait()
      observer.onSignal { exit(7) }
    }
  }

  @Test func `a hangup asks for a reload and nothing else`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let observer = try SignalObserver { exit(7) }
      kill(getpid(), SIGHUP)
      observer.wait()
    }
  }
}
