import Foundation
import Testing

@testable import lqip

@Suite struct SignalWaiterTests {
  @Test(arguments: [
    (SIGTERM, SignalWaiter.Event.terminate(SIGTERM)), (SIGINT, .terminate(SIGINT)),
    (SIGHUP, .reload),
  ])
  func `a signal is received by the thread that waits`(
    signal: Int32, expected: SignalWaiter.Event
  ) throws {
    let received = Monitor<SignalWaiter.Event?>(nil)
    let thread = try SystemThread {
      let waiter = SignalWaiter()
      pthread_kill(pthread_self(), signal)
      let event = waiter.wait()
      received.update { $0 = event }
    }
    thread.join()
    #expect(received.withLock { $0 } == expected)
  }
}
