import LqipOptions
import Testing

@testable import LqipService
@testable import LqipSystem

@Suite struct ServerLimitsTests {
  private let mebibyte = 1 << 20

  private func limits(
    _ memory: Int?, _ processors: Int, _ workers: Int? = nil
  ) -> (limits: ServerLimits, decoding: Int) {
    var decoding = 256 * mebibyte
    let limits = ServerLimits(
      memory: memory.map { $0 * mebibyte }, processors: processors, workers: workers,
      decoding: &decoding, largestBody: 20 * mebibyte)
    return (limits, decoding)
  }

  @Test(
    arguments: [
      (nil, 4, nil, 5, 256), (64 * 1024, 4, nil, 5, 256), (2048, 4, nil, 4, 256),
      (2048, 1, nil, 1, 256), (2048, 8, nil, 8, 99), (1024, 2, nil, 2, 256), (300, 2, 8, 8, 32),
      (2048, 16, 1, 1, 256),
    ] as [(Int?, Int, Int?, Int, Int)])
  func `an extra worker is added only if memory is sufficient for the default limits`(
    memory: Int?, processors: Int, requested: Int?, workers: Int, decoding: Int
  ) {
    let (limits, actual) = limits(memory, processors, requested)
    #expect(limits.workerCount == workers)
    #expect(actual == decoding * mebibyte)
    #expect(memory ?? .max <= 2048 || limits.bufferedByteCount == 512 * mebibyte)
  }

  @Test(arguments: [232, 256, 300, 512, 1000, 1500, 2048, 8192], [1, 2, 4, 16, 128])
  func `workers and bodies together stay within the memory limit`(memory: Int, processors: Int) {
    let (limits, decoding) = limits(memory, processors)
    #expect(limits.workerCount >= 1 && limits.workerCount <= processors + 1)
    #expect(decoding >= 32 * mebibyte && decoding <= 256 * mebibyte)
    #expect(limits.bufferedByteCount >= 20 * mebibyte)
    var options = LimitOptions()
    options.memory = decoding
    let worker = options.workers(.off, inputCapacity: 20 * mebibyte)
    let workers = limits.workerCount * (worker.memoryLimit + worker.inputCapacity)
    #expect(96 * mebibyte + limits.bufferedByteCount + workers <= memory * mebibyte)
  }

  @Test(arguments: [0, 1, 50, Int.max >> 20])
  func `any amount of memory allows a worker and a body`(memory: Int) {
    for processors in [1, 1024] {
      var decoding = Int.max
      let limits = ServerLimits(
        memory: memory, processors: processors, workers: nil, decoding: &decoding,
        largestBody: .max)
      #expect(limits.workerCount >= 1 && decoding > 0 && limits.bufferedByteCount > 0)
    }
  }

  @Test(arguments: [100, 500, 1000, 4000])
  func `connections and bodies fit into half of a limited address space`(space: Int) {
    var (limits, _) = limits(64 << 10, 4)
    limits.fit(SpareResources(descriptorCount: .max, addressByteCount: space * mebibyte))
    let connections = limits.connectionCount * 640 << 10
    #expect(limits.connectionCount >= 8)
    #expect(connections + limits.bufferedByteCount <= max(space / 2, 45) * mebibyte)
  }

  @Test(arguments: [24, 100, 541, 10_000])
  func `connections, workers and the server itself fit into a limit of threads`(count: Int) {
    var (limits, _) = limits(64 << 10, 2)
    limits.fit(SpareResources(descriptorCount: .max, threadCount: count))
    #expect(limits.connectionCount == min(512, count - 13))
    #expect(limits.threadCount <= count)
  }
}
