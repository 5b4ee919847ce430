import Testing

@testable import lqip
@testable import LqipSystem

@Suite struct InputFeedTests {
  /// A source of 4 MB images that counts them.
  private struct LargeImages: BatchSource {
    let found: Monitor<Int>
    let total: Int
    let fraction: Double? = nil

    mutating func next() throws(CommandError) -> Finding? {
      let number = found.update { count in
        count += 1
        return count
      }
      if number > total { throw .input("damaged") }
      return .content(FilePath("\(number)"), .success([UInt8](repeating: 0, count: 4_000_000)))
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `read-ahead is limited by total image size, and an error is thrown afterwards`() throws {
    let (found, isReady) = (Monitor(0), Monitor(false))
    let feed = try InputFeed(
      { _ throws(CommandError) in
        (LargeImages(found: found, total: 20), try RecordMatcher(nil, relativeTo: nil))
      }, capacity: 1000
    ) { isReady.update { $0 = true } }
    var taken = 0
    do {
      while let elements = try feed.take() {
        taken += elements.count
        // Five images are queued, and the source holds another.
        #expect(found.withLock { $0 } <= taken + 6)
        guard elements.isEmpty else { continue }
        let hasMore = isReady.wait(until: .now + .seconds(50)) { isReady -> Bool? in
          defer { isReady = false }
          return isReady ? true : nil
        }
        try #require(hasMore == true)
      }
      Issue.record("the error is missing")
    } catch {
      #expect(error as? CommandError == .input("damaged"))
    }
    #expect(taken == 20)
  }
}
