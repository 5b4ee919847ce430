import Testing

@testable import LqipFiles
@testable import LqipService

@Suite struct RequestCollectorTests {
  /// Hands over some zeros.
  static func take(_ count: Int, into collector: RequestCollector) {
    let isKept = unsafe [UInt8](repeating: 0, count: count)
      .withUnsafeBytes { unsafe collector.take($0) }
    #expect(isKept)
  }

  @Test(arguments: [nil, 1 << 49])
  func `a body takes little room before it arrives, whatever it may have`(length: Int?) {
    let collector = RequestCollector(
      expecting: length, maximum: 1 << 50, budget: BodyBudget(byteCount: 1 << 50, largest: 1 << 50))
    #expect(collector.bytes.capacity == 0)
    Self.take(3, into: collector)
    #expect(collector.bytes.capacity < 128 << 10)
    #expect(collector.refusal == nil)
  }

  @Test func `all the room of a body is out of the budget while it is there`() {
    let budget = BodyBudget(byteCount: 1 << 20, largest: 1 << 20)
    do {
      let collector = RequestCollector(expecting: nil, maximum: 1 << 20, budget: budget)
      for _ in 0..<7 { Self.take(100_000, into: collector) }
      #expect(collector.refusal == nil)
      #expect(collector.bytes.capacity > 700_000)
      #expect(budget.take((1 << 20) - collector.bytes.capacity))
      #expect(!budget.take(1))
      budget.release((1 << 20) - collector.bytes.capacity)
    }
    #expect(budget.take(1 << 20))
  }

  @Test(arguments: [0, 1, 5000, 100_000])
  func `a body has no more room than it can have bytes, and all of them`(length: Int) {
    let collector = RequestCollector(
      expecting: length, maximum: 1 << 20, budget: BodyBudget(byteCount: 1 << 20, largest: 1 << 20))
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for start in stride(from: 0, to: length, by: 777) {
      let piece = bytes[start..<min(start + 777, length)]
      #expect(unsafe piece.withUnsafeBytes { unsafe collector.take($0) })
    }
    #expect(collector.bytes.array == bytes)
    #expect(collector.bytes.capacity <= length)
  }

  #if os(Linux)
  @Test func `where there is no memory, a body is refused and its room given back`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let used = SpareResources.usedAddressByteCount
      var limits = rlimit(rlim_cur: rlim_t(used + 256 << 20), rlim_max: rlim_t(used + 256 << 20))
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limits)
      let budget = BodyBudget(byteCount: 1 << 40, largest: 1 << 40)
      let collector = RequestCollector(expecting: nil, maximum: 1 << 40, budget: budget)
      for _ in 0..<1024 where collector.refusal == nil {
        RequestCollectorTests.take(1 << 20, into: collector)
      }
      guard let refusal = collector.refusal, refusal.status == 503, refusal.retryAfter != nil,
        collector.bytes.capacity == 0, budget.take(1 << 40)
      else { exit(1) }
      exit(7)
    }
  }
  #endif
}
