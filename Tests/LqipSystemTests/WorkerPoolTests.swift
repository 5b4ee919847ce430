import LqipTestSupport
import Testing

@testable import LqipSystem

@Suite struct WorkerPoolTests {
  @Test func `threads get workers in the order of their requests`() throws {
    let pool = WorkerPool(.here, count: 1, queueLimit: 8, queueDeadline: .seconds(60))
    let order = Monitor<[Int]>([])
    let isOpen = Monitor(false)
    for number in 0...8 {
      try SystemThread.start {
        try? pool.withWorker { _ in
          order.update { $0.append(number) }
          _ = isOpen.wait(until: nil) { $0 ? true : nil }
        }
      }
      let deadline = MonotonicTime.now + .seconds(20)
      while pool.lentCount == 0 || pool.queueLength < number {
        try #require(.now < deadline)
        SystemThread.sleep(for: .milliseconds(1))
      }
    }
    #expect(throws: WorkerPool.Refusal.full) { try pool.withWorker { _ in } }
    isOpen.update { $0 = true }
    let all = order.wait(until: .now + .seconds(20)) { $0.count == 9 ? $0 : nil }
    #expect(all == Array(0...8))
  }
}
