import LqipFiles
import Testing

@testable import LqipBatch

@Suite struct ConcurrencyTests {
  private func fitted(
    descriptors: Int = 1000, threads: Int = 1000, addressMegabytes: Int? = nil
  ) throws -> BatchEncoder.Concurrency {
    var concurrency = BatchEncoder.Concurrency(jobs: 4, reads: 16)
    try concurrency.fit(
      SpareResources(
        descriptorCount: descriptors, threadCount: threads,
        addressByteCount: addressMegabytes.map { $0 << 20 }))
    return concurrency
  }

  @Test func `what there is enough of changes nothing`() throws {
    let all = BatchEncoder.Concurrency(jobs: 4, reads: 16)
    #expect(try fitted() == all)
    #expect(try fitted(addressMegabytes: 1 << 20) == all)
    #expect(try fitted(descriptors: 28, threads: 24) == all)
  }

  @Test func `fewer descriptors are for fewer reads, and fewer threads for less of both`() throws {
    #expect(try fitted(descriptors: 13).reads == 1)
    #expect(try fitted(descriptors: 13).jobs == 4)
    #expect(try fitted(threads: 11).reads == 3)
    #expect(try fitted(threads: 11).jobs == 3)
  }

  @Test func `less memory is for fewer images at a time and less that waits`() throws {
    let least = try fitted(addressMegabytes: 136)
    #expect(least.jobs == 1)
    #expect(least.reads == 1)
    #expect(least.readAhead == 16 << 20)
    let more = try fitted(addressMegabytes: 300)
    #expect(more.jobs == 4)
    #expect(more.reads == 5)
  }

  @Test func `what is too little for one image is refused`() {
    for (descriptors, threads, memory, text) in [
      (12, 9, nil, "only 12 files can be opened of the 13 that are needed; see 'ulimit -n'"),
      (
        13, 8, nil, "only 8 threads can be started of the 9 that are needed; see 'ulimit -u and -v'"
      ),
      (13, 9, 135, "only 135 MB of memory are left of the 136 that are needed; see 'ulimit -v'"),
    ] as [(Int, Int, Int?, String)] {
      #expect(throws: CommandError.output(text)) {
        try fitted(descriptors: descriptors, threads: threads, addressMegabytes: memory)
      }
    }
  }
}
