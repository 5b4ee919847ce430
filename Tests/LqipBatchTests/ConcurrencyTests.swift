import LqipFiles
import Testing

@testable import LqipBatch

@Suite struct ConcurrencyTests {
  private func fitted(
    descriptors: Int = 1000, addressMegabytes: Int? = nil
  ) throws -> BatchEncoder.Concurrency {
    var concurrency = BatchEncoder.Concurrency(jobs: 4, reads: 16)
    try concurrency.fit(
      SpareResources(
        descriptorCount: descriptors,
        addressByteCount: addressMegabytes.map { $0 << 20 }))
    return concurrency
  }

  @Test func `what there is enough of changes nothing`() throws {
    let all = BatchEncoder.Concurrency(jobs: 4, reads: 16)
    #expect(try fitted() == all)
    #expect(try fitted(addressMegabytes: 1 << 20) == all)
    #expect(try fitted(descriptors: 24) == all)
  }

  @Test func `fewer descriptors are for fewer reads`() throws {
    #expect(try fitted(descriptors: 9).reads == 1)
    #expect(try fitted(descriptors: 9).jobs == 4)
  }

  @Test func `less memory is for fewer images at a time and less that waits`() throws {
    let least = try fitted(addressMegabytes: 100)
    #expect(least.jobs == 1)
    #expect(least.reads == 1)
    #expect(least.readAhead == 16 << 20)
    let more = try fitted(addressMegabytes: 264)
    #expect(more.jobs == 4)
    #expect(more.reads == 5)
  }

  @Test func `what is too little for one image is refused`() {
    for (descriptors, memory, text) in [
      (
        8, nil,
        "the open-file limit allows 8 descriptors, but 9 are needed; raise it with 'ulimit -n'"
      ),
      (
        9, 99,
        "99 MiB of address space are left, but 100 MiB are needed; raise the limit with 'ulimit -v'"
      ),
    ] as [(Int, Int?, String)] {
      #expect(throws: CommandError.output(text)) {
        try fitted(descriptors: descriptors, addressMegabytes: memory)
      }
    }
  }
}
