import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles

@Suite struct SystemThreadTests {
  @Test func `functions run once each, while all of them wait for one another`() async throws {
    let count = 20
    let (results, inbox) = AsyncStream.makeStream(of: Int.self)
    let begun = Monitor(0)
    for number in 0..<count {
      _ = try SystemThread {
        begun.update { $0 += 1 }
        _ = begun.wait(until: nil) { $0 < count ? nil : true }
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
