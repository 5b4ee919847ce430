import Testing

@testable import LqipService
@testable import LqipSystem

@Suite struct RequestBodyTests {
  /// Appends zeros to a body.
  static func append(_ count: Int, to body: RequestBody) {
    let isReadable = unsafe [UInt8](repeating: 0, count: count)
      .withUnsafeBytes { unsafe body.append($0) }
    #expect(isReadable)
  }

  @Test(arguments: [nil, 1 << 49])
  func `the capacity grows with the received bytes, not with the stated length`(length: Int?) {
    let body = RequestBody(
      expecting: length, maximum: 1 << 50, budget: BodyBudget(byteCount: 1 << 50, largest: 1 << 50))
    #expect(body.capacity == 0)
    Self.append(3, to: body)
    #expect(body.capacity < 128 << 10)
    #expect(body.refusal == nil)
  }

  @Test func `the capacity of a body is taken from the budget until the body is freed`() {
    let budget = BodyBudget(byteCount: 1 << 20, largest: 1 << 20)
    do {
      let body = RequestBody(expecting: nil, maximum: 1 << 20, budget: budget)
      for _ in 0..<7 { Self.append(100_000, to: body) }
      #expect(body.refusal == nil)
      #expect(body.capacity > 700_000)
      #expect(budget.reserve((1 << 20) - body.capacity))
      #expect(!budget.reserve(1))
      budget.release((1 << 20) - body.capacity)
    }
    #expect(budget.reserve(1 << 20))
  }

  @Test(arguments: [0, 1, 5000, 100_000])
  func `a complete body occupies at most its stated length`(length: Int) {
    let body = RequestBody(
      expecting: length, maximum: 1 << 20, budget: BodyBudget(byteCount: 1 << 20, largest: 1 << 20))
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for start in stride(from: 0, to: length, by: 777) {
      let piece = bytes[start..<min(start + 777, length)]
      #expect(unsafe piece.withUnsafeBytes { unsafe body.append($0) })
    }
    #expect(body.array == bytes)
    #expect(body.capacity <= length)
  }

  @Test func `a failed allocation rejects the body and releases its budget`() throws {
    let maximum = 1 << 60
    let budget = BodyBudget(byteCount: maximum, largest: maximum)
    let body = RequestBody(expecting: nil, maximum: maximum, budget: budget)
    Self.append(1 << 20, to: body)
    // The allocation fails because the piece exceeds the address space, so none of its bytes is
    // read.
    let one = [UInt8](repeating: 0, count: 1)
    #expect(
      unsafe one.withUnsafeBytes { byte in
        unsafe body.append(UnsafeRawBufferPointer(start: byte.baseAddress, count: maximum / 2))
      })
    let refusal = try #require(body.refusal)
    #expect(refusal.status == 503)
    #expect(refusal.retryAfter != nil)
    #expect(body.capacity == 0)
    #expect(budget.reserve(maximum))
  }
}
