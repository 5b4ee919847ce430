import Synchronization
import PlaceholdersTestSupport
import Testing

@testable import LqipBatch

@Suite struct WorkerPoolTests {
  /// What the workers tell the test.
  private final class Notes: Sendable {
    let running = Mutex((now: 0, most: 0))
    let pool = Mutex<WorkerPool<Int>?>(nil)
  }

  @Test(arguments: [1, 2, 5])
  func `all work is done once, by no more workers than there may be`(capacity: Int) async {
    let notes = Notes()
    let (done, inbox) = AsyncStream.makeStream(of: Int.self)
    let pool = WorkerPool<Int>(capacity) { number in
      notes.running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      notes.running.withLock { $0.now -= 1 }
      inbox.yield(number)
    }
    for number in 0..<500 { pool.add(number) }
    var numbers: [Int] = []
    for await number in done.prefix(500) { numbers.append(number) }
    #expect(numbers.sorted() == Array(0..<500))
    #expect(capacity > 1 || numbers == numbers.sorted())
    #expect(notes.running.withLock { $0.most } <= capacity)
    #expect(pool.removeAll() == [])
  }

  @Test func `work that no worker has begun can be taken back`() async {
    let notes = Notes()
    let (done, inbox) = AsyncStream.makeStream(of: [Int].self)
    let pool = WorkerPool<Int>(1) { number in
      guard number == 0 else {
        inbox.yield([number])
        return
      }
      // The only worker is here, so that nobody begins what is added.
      guard let pool = notes.pool.withLock({ $0 }) else { return }
      #expect(pool.hasRoom)
      pool.add(1)
      #expect(!pool.hasRoom)
      pool.add(2)
      inbox.yield(pool.removeAll())
      #expect(pool.hasRoom)
      pool.add(3)
    }
    notes.pool.withLock { $0 = pool }
    pool.add(0)
    var told: [[Int]] = []
    for await numbers in done.prefix(2) { told.append(numbers) }
    #expect(told == [[1, 2], [3]])
    notes.pool.withLock { $0 = nil }
  }
}
