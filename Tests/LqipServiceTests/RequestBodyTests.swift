import Testing

@testable import LqipService
@testable import LqipSystem

@Suite struct RequestBodyTests {
  @Test(arguments: [nil, 1 << 49])
  func `the capacity grows with the received bytes, not with the stated length`(
    length: Int?
  ) throws {
    let body = RequestBody(
      expecting: length, maximum: 1 << 50, budget: BodyBudget(byteCount: 1 << 50))
    #expect(body.capacity == 0)
    try body.append([1, 2, 3])
    #expect(body.capacity < 128 << 10)
  }

  @Test func `the capacity of a body is taken from the budget until the body is freed`() throws {
    let budget = BodyBudget(byteCount: 1 << 20)
    do {
      let body = RequestBody(expecting: nil, maximum: 1 << 20, budget: budget)
      for _ in 0..<7 { try body.append([UInt8](repeating: 0, count: 100_000)) }
      #expect(body.capacity > 700_000)
      #expect(budget.heldByteCount == body.capacity)
    }
    #expect(budget.heldByteCount == 0)
  }

  @Test(arguments: [0, 1, 5000, 100_000])
  func `a complete body occupies at most its stated length`(length: Int) throws {
    let body = RequestBody(
      expecting: length, maximum: 1 << 20, budget: BodyBudget(byteCount: 1 << 20))
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for start in stride(from: 0, to: length, by: 777) {
      try body.append(Array(bytes[start..<min(start + 777, length)]))
    }
    #expect(body.array == bytes)
    #expect(body.capacity <= length)
  }

  @Test func `a body above its maximum is refused`() throws {
    let body = RequestBody(
      expecting: nil, maximum: 3, budget: BodyBudget(byteCount: 10))
    try body.append([1, 2, 3])
    let problem = #expect(throws: Problem.self) { try body.append([4]) }
    #expect(problem?.status == 413)
  }

  @Test func `a failed allocation refuses the body and keeps the budget`() throws {
    let maximum = 1 << 60
    let budget = BodyBudget(byteCount: maximum)
    let body = RequestBody(expecting: nil, maximum: maximum, budget: budget)
    try body.append([UInt8](repeating: 0, count: 1 << 20))
    // The allocation fails because the piece exceeds the address space, so none of its bytes is
    // read.
    let one = [UInt8](repeating: 0, count: 1)
    let problem = #expect(throws: Problem.self) {
      try unsafe one.withUnsafeBytes { byte in
        try unsafe body.append(
          UnsafeRawBufferPointer(start: byte.baseAddress, count: maximum / 2))
      }
    }
    #expect(problem?.status == 503)
    #expect(problem?.response["retry-after"] == ["1"])
    #expect(budget.heldByteCount == body.capacity)
  }
}

@Suite struct BodyBudgetTests {
  private let mebibyte = 1 << 20

  @Test func `part of the budget is reserved for small bodies`() {
    let budget = BodyBudget(byteCount: 80 * mebibyte, largest: 20 * mebibyte)
    #expect(budget.reserve(70 * mebibyte))
    #expect(!budget.reserve(mebibyte, after: mebibyte))
    #expect(budget.reserve(mebibyte))
    #expect(budget.heldByteCount == 71 * mebibyte)
  }

  @Test func `the largest body fits if it is the only one`() {
    #expect(BodyBudget(byteCount: 20 * mebibyte, largest: 20 * mebibyte).reserve(20 * mebibyte))
    #expect(BodyBudget(byteCount: 22 * mebibyte, largest: 20 * mebibyte).reserve(20 * mebibyte))
  }

  @Test func `a body waits briefly for others to release memory`() throws {
    let budget = BodyBudget(byteCount: 1000)
    #expect(budget.reserve(600))
    #expect(!budget.reserve(600))
    try SystemThread.start { budget.release(600) }
    // On a busy machine, the thread may start after the first wait.
    #expect((0..<60).contains { _ in budget.reserve(600) })
  }
}
