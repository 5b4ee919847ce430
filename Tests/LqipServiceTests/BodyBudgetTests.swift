import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import LqipService

@Suite struct BodyBudgetTests {
  private let mebibyte = 1 << 20

  @Test func `reserved bytes are unavailable until they are released`() {
    let budget = BodyBudget(byteCount: 1000, largest: 1000)
    #expect(budget.reserve(600))
    #expect(!budget.reserve(600))
    budget.release(600)
    #expect(budget.reserve(600, after: 0))
  }

  @Test func `part of the budget is reserved for small bodies`() {
    let budget = BodyBudget(byteCount: 80 * mebibyte, largest: 20 * mebibyte)
    #expect(budget.reserve(70 * mebibyte, after: 0))
    #expect(!budget.reserve(mebibyte, after: mebibyte))
    #expect(budget.reserve(mebibyte))
  }

  @Test func `the largest body fits if it is the only one`() {
    #expect(BodyBudget(byteCount: 20 * mebibyte, largest: 20 * mebibyte).reserve(20 * mebibyte))
    #expect(BodyBudget(byteCount: 22 * mebibyte, largest: 20 * mebibyte).reserve(20 * mebibyte))
  }

  @Test func `a body waits briefly for others to release memory`() throws {
    let budget = BodyBudget(byteCount: 1000, largest: 1000)
    #expect(budget.reserve(1000))
    #expect(budget.reserve(600) { if $0 { budget.release(700) } })
    #expect(!budget.reserve(600))
  }
}
