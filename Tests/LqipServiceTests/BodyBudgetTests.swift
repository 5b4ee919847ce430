import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import LqipService

@Suite struct BodyBudgetTests {
  private let mebibyte = 1 << 20

  @Test func `what is taken is gone until it is given back`() {
    let budget = BodyBudget(byteCount: 1000, largest: 1000)
    #expect(budget.take(600))
    #expect(!budget.take(600))
    budget.release(600)
    #expect(budget.take(600, after: 0))
  }

  @Test func `small bodies have a part to themselves`() {
    let budget = BodyBudget(byteCount: 80 * mebibyte, largest: 20 * mebibyte)
    #expect(budget.take(70 * mebibyte, after: 0))
    #expect(!budget.take(mebibyte, after: mebibyte))
    #expect(budget.take(mebibyte))
  }

  @Test func `the largest body has room when it is alone`() {
    #expect(BodyBudget(byteCount: 20 * mebibyte, largest: 20 * mebibyte).take(20 * mebibyte))
    #expect(BodyBudget(byteCount: 22 * mebibyte, largest: 20 * mebibyte).take(20 * mebibyte))
  }

  @Test func `whoever is short of memory asks for it and waits for a moment`() throws {
    let budget = BodyBudget(byteCount: 1000, largest: 1000)
    #expect(budget.take(1000))
    #expect(budget.take(600) { if $0 { budget.release(700) } })
    #expect(!budget.take(600))
  }
}
