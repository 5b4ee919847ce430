import LqipFiles
import Testing

@testable import LqipBatch

@Suite struct ImagePoolTests {
  private typealias Running = ImagePool<Int, Int>.Running

  @Test func `a thread that works does not stall, however little it gets to`() {
    var running = Running(1)
    for _ in 0..<5 {
      let time = running.clock.time
      while running.clock.time == time {}
      running.pass(.seconds(100))
      #expect(running.stalled == .zero)
    }
  }

  @Test func `a thread that waits for the system stalls until it comes back`() throws {
    let waiting = Monitor<Running?>(nil)
    let mayEnd = Monitor(false)
    let thread = try SystemThread {
      waiting.update { $0 = Running(1) }
      _ = mayEnd.wait(until: nil) { $0 ? true : nil }
    }
    var running = try #require(waiting.wait(until: nil) { $0 })
    // It may take a moment to fall asleep.
    repeat {
      SystemThread.sleep(for: .milliseconds(1))
      running.pass(.seconds(2))
    } while running.stalled < .seconds(6)
    running.since = .now
    #expect(running.stalled == .zero)
    running.since = nil
    running.pass(.seconds(2))
    #expect(running.stalled == .zero)
    mayEnd.update { $0 = true }
    thread.join()
  }

  @Test func `a pool of one thread says that it wants more when it has none`() throws {
    let answer = Monitor<Bool?>(nil)
    let pool = ImagePool<Int, Int>(BatchEncoder.Concurrency(jobs: 1, reads: 1)) {
      _, _, wantsMore in
      answer.update { $0 = wantsMore }
    } perform: { work, _ in
      work
    }
    try pool.add(1)
    #expect(answer.wait(until: nil) { $0 } == true)
    pool.stop()
  }

  @Test func `more is read at a time while cores are idle, up to a limit`() throws {
    let begun = Monitor(0)
    let mayEnd = Monitor(false)
    let pool = ImagePool<Int, Int>(BatchEncoder.Concurrency(jobs: 1, reads: 3)) { _, _, _ in
    } perform: { work, _ in
      begun.update { $0 += 1 }
      _ = mayEnd.wait(until: nil) { $0 ? true : nil }
      return work
    }
    for work in 0..<5 { try pool.add(work) }
    for count in 1...3 {
      _ = begun.wait(until: nil) { $0 == count ? true : nil }
      #expect(pool.startReader() == (count < 3))
    }
    mayEnd.update { $0 = true }
    pool.stop()
  }

  @Test func `nothing more is read at a time while the core is busy`() throws {
    let begun = Monitor(0)
    let mayEnd = Monitor(false)
    let pool = ImagePool<Int, Int>(BatchEncoder.Concurrency(jobs: 1, reads: 3)) { _, _, _ in
    } perform: { work, turn in
      turn.decode {
        begun.update { $0 += 1 }
        _ = mayEnd.wait(until: nil) { $0 ? true : nil }
      }
      return work
    }
    for work in 0..<5 { try pool.add(work) }
    _ = begun.wait(until: nil) { $0 == 1 ? true : nil }
    #expect(!pool.startReader())
    mayEnd.update { $0 = true }
    pool.stop()
  }
}
