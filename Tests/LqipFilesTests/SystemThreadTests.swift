import Foundation
import Synchronization
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles

@Suite struct SystemThreadTests {
  private final class Count: Sendable {
    let number = Mutex(0)
  }

  @Test func `functions run once each, while all of them wait for one another`() async throws {
    let count = 20
    let (results, inbox) = AsyncStream.makeStream(of: Int.self)
    let begun = Count()
    for number in 0..<count {
      _ = try SystemThread {
        begun.number.withLock { $0 += 1 }
        while begun.number.withLock({ $0 < count }) { sched_yield() }
        inbox.yield(number)
      }
    }
    var numbers: Set<Int> = []
    for await number in results.prefix(count) { numbers.insert(number) }
    #expect(numbers.count == count)
  }

  @Test func `sleep lasts at least as long as it is to`() {
    let clock = ContinuousClock()
    let duration = Duration.milliseconds(5)
    #expect(clock.measure { SystemThread.sleep(for: duration) } >= duration)
  }
}
