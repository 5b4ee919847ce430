import Testing

@testable import LqipService

@Suite struct RequestCollectorTests {
  @Test(arguments: [nil, 1 << 49])
  func `a body takes little room before it arrives, whatever it may have`(length: Int?) {
    let collector = RequestCollector(
      expecting: length, maximum: 1 << 50, budget: BodyBudget(byteCount: 1 << 50, largest: 1 << 50))
    #expect(collector.bytes.capacity < 128 << 20)
    let isKept = unsafe [1, 2, 3].withUnsafeBytes { unsafe collector.take($0) }
    #expect(isKept)
    #expect(collector.refusal == nil)
  }
}
