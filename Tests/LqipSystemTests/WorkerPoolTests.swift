import LqipTestSupport
import Testing

@testable import LqipSystem

@Suite struct WorkerPoolTests {
  /// The queue lengths reported by the pool.
  private let lengths = Monitor<[Int]>([])

  @Test func `threads get workers in the order of their requests`() throws {
    let pool = WorkerPool(
      .here, count: 1, queueLimit: 8, queueDeadline: .seconds(60),
      queueChanged: { [lengths] length in lengths.update { $0.append(length) } })
    let order = Monitor<[Int]>([])
    let isOpen = Monitor(false)
    for number in 0...8 {
      try SystemThread.start {
        try? pool.withWorker { _ in
          if number == 0 {
            order.update { $0.append(0) }
            _ = isOpen.wait(until: nil) { $0 ? true : nil }
          } else {
            order.update { $0.append(number) }
          }
        }
      }
      let hasArrived =
        number == 0
        ? order.wait(until: .now + .seconds(20)) { $0.isEmpty ? nil : true }
        : lengths.wait(until: .now + .seconds(20)) { $0.last == number ? true : nil }
      #expect(hasArrived == true)
    }
    #expect(throws: WorkerPool.Refusal.full) { try pool.withWorker { _ in } }
    isOpen.update { $0 = true }
    let all = order.wait(until: .now + .seconds(20)) { $0.count == 9 ? $0 : nil }
    #expect(all == Array(0...8))
  }
}
