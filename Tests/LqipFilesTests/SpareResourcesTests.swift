import Foundation
import Testing

@testable import LqipFiles

@Suite struct SpareResourcesTests {
  @Test func `no more is taken than is asked for, and all of it is given back`() {
    for _ in 0..<3 {
      let spare = SpareResources(upToDescriptors: 20)
      #expect(spare.descriptorCount == 20)
    }
  }

  @Test func `descriptors are counted, whatever has taken the others`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      var limits = rlimit(rlim_cur: 100, rlim_max: 100)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
      var taken: [Int32] = []
      while case let number = fcntl(STDIN_FILENO, F_DUPFD, 0), number >= 0 { taken.append(number) }
      for number in taken.suffix(3) { close(number) }
      let spare = SpareResources(upToDescriptors: 20)
      exit(spare.descriptorCount == 3 ? 7 : 1)
    }
  }

  @Test func `too little is told with what is needed`() {
    let spare = SpareResources(descriptorCount: 8, addressByteCount: 99 << 20)
    #expect(spare.shortage(ofDescriptors: 8) == nil)
    #expect(
      spare.shortage(ofDescriptors: 9)
        == "the open-file limit allows 8 descriptors, but 9 are needed; raise it with 'ulimit -n'")
    #expect(spare.shortage(ofAddresses: 99 << 20) == nil)
    #expect(
      spare.shortage(ofAddresses: 100 << 20)
        == "99 MiB of address space is left, but 100 MiB is needed; raise the limit with "
        + "'ulimit -v'")
    #expect(SpareResources(descriptorCount: 8).shortage(ofAddresses: .max) == nil)
  }
}
