import Testing

@testable import LqipFiles
@testable import LqipOptions
@testable import LqipService

@Suite struct MemoryPlanTests {
  private let mebibyte = 1 << 20

  private func plan(_ memory: Int?, _ processors: Int, _ jobs: Int? = nil) -> MemoryPlan {
    MemoryPlan(
      memory: memory.map { $0 * mebibyte }, processors: processors, jobs: jobs,
      decoding: 256 * mebibyte, largestBody: 20 * mebibyte)
  }

  @Test func `with enough memory, decoding and bodies have what they may have`() {
    for memory in [nil, 2048, 64 * 1024] {
      let plan = plan(memory, 4)
      #expect(plan.jobs == 5)
      #expect(plan.decoding == 256 * mebibyte)
      #expect(plan.bodies == 512 * mebibyte)
    }
  }

  @Test(arguments: [(512, 2, 2), (1024, 2, 2), (2048, 1, 1), (2048, 4, 5), (2048, 8, 8)])
  func `there is one more job than processors where that takes no memory from the others`(
    memory: Int, processors: Int, jobs: Int
  ) {
    let plan = plan(memory, processors)
    #expect(plan.jobs == jobs)
    #expect(plan.jobs <= processors || plan.decoding == 256 * mebibyte)
  }

  @Test(arguments: [200, 256, 300, 512, 1000, 1500, 2048, 8192], [1, 2, 4, 16, 128])
  func `no more is given than there is`(memory: Int, processors: Int) {
    let plan = plan(memory, processors)
    #expect(plan.jobs >= 1 && plan.jobs <= processors + 1)
    #expect(plan.decoding >= 32 * mebibyte && plan.decoding <= 256 * mebibyte)
    #expect(plan.bodies >= 20 * mebibyte && plan.bodies <= 512 * mebibyte)
    let all = 96 * mebibyte + plan.bodies + plan.jobs * (plan.decoding + 32 * mebibyte)
    #expect(all <= memory * mebibyte)
  }

  @Test(arguments: [0, 100, 200, 500, 1000, 2000, 4000, 16_000], [1, 4, 64])
  func `a limited address space has room for stacks and arenas too`(space: Int, processors: Int) {
    let plan = MemoryPlan(
      memory: 64 << 30, addresses: space * mebibyte, processors: processors, jobs: nil,
      decoding: 256 * mebibyte, largestBody: 20 * mebibyte)
    let decoding = plan.jobs * (plan.decoding + 32 * mebibyte)
    let threads = (plan.connections ?? 0) * 640 << 10 + (plan.arenas - 1) * 128 * mebibyte
    #expect(plan.arenas >= 1 && plan.arenas <= plan.jobs)
    #expect(space < 400 || plan.bodies + decoding + threads <= space * mebibyte)
    #expect(space < 16_000 || plan.bodies == 512 * mebibyte)
    #expect(self.plan(64 << 10, processors).connections == nil)
  }

  @Test func `the number of jobs is what somebody has said`() {
    #expect(plan(300, 2, 8).jobs == 8)
    #expect(plan(300, 2, 8).decoding == 32 * mebibyte)
    #expect(plan(2048, 16, 1).jobs == 1)
  }

  @Test(arguments: [0, 1, 50, Int.max >> 20])
  func `any amount of memory has a plan`(memory: Int) {
    for processors in [1, 1024] {
      let plan = MemoryPlan(
        memory: memory, processors: processors, jobs: nil, decoding: .max, largestBody: .max)
      #expect(plan.jobs >= 1 && plan.decoding > 0 && plan.bodies > 0)
    }
  }
}
