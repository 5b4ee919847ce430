import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipService

@Suite struct MonitorTests {
  @Test func `a change is seen by the one who waits`() throws {
    let monitor = Monitor(false)
    let changing = try SystemThread {
      // The other has to be asleep for this to show anything.
      _ = monitor.wait(until: .now + .milliseconds(50)) { $0 ? true : nil }
      monitor.update { $0 = true }
    }
    #expect(monitor.wait(until: .now + .seconds(20)) { $0 ? true : nil } == true)
    changing.join()
  }

  @Test func `waiting ends at the deadline`() {
    let monitor = Monitor(0)
    #expect(monitor.wait(until: .now) { $0 > 0 ? true : nil } == nil)
    #expect(monitor.wait(until: .now + .milliseconds(20)) { $0 > 0 ? true : nil } == nil)
    monitor.update { $0 = 1 }
    #expect(monitor.wait(until: .now) { $0 > 0 ? true : nil } == true)
  }

  @Test func `changes by many threads are all there`() throws {
    let monitor = Monitor(0)
    for _ in 1...8 {
      _ = try SystemThread { for _ in 1...1000 { monitor.update { $0 += 1 } } }
    }
    #expect(monitor.wait(until: .now + .seconds(20)) { $0 == 8000 ? $0 : nil } == 8000)
  }
}
