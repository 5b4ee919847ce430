import LqipFiles
import Testing

@Suite struct ThreadClockTests {
  @Test func `a thread that works uses time, and one that waits uses none`() throws {
    let clocks = Monitor<[ThreadClock]>([])
    let mayEnd = Monitor(false)
    let worker = try SystemThread {
      clocks.update { $0.append(ThreadClock()) }
      while !mayEnd.withLock({ $0 }) {}
    }
    let working = try #require(clocks.wait(until: nil) { $0.first })
    let beginning = working.time
    while working.time < beginning + .milliseconds(5) { SystemThread.sleep(for: .milliseconds(1)) }
    mayEnd.update { $0 = true }
    worker.join()

    let waiter = try SystemThread {
      clocks.update { $0.append(ThreadClock()) }
      _ = mayEnd.wait(until: nil) { $0 ? nil : true }
    }
    let waiting = try #require(clocks.wait(until: nil) { $0.count == 2 ? $0.last : nil })
    // It may take a moment to fall asleep.
    var times = [waiting.time]
    repeat {
      SystemThread.sleep(for: .milliseconds(5))
      times.append(waiting.time)
    } while times.suffix(2).first != times.last
    #expect(times.last.map { $0 < .seconds(1) } == true)
    mayEnd.update { $0 = false }
    waiter.join()
  }
}
