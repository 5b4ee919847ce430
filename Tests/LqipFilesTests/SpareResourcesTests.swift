import Foundation
import Testing

@testable import LqipFiles

@Suite struct SpareResourcesTests {
  @Test func `no more is taken than is asked for, and all of it is given back`() {
    for _ in 0..<3 {
      let spare = SpareResources(upToDescriptors: 20, threads: 2...5)
      #expect(spare.descriptorCount == 20)
      #expect(spare.threadCount == 5)
    }
  }

  @Test func `descriptors are counted, whatever has taken the others`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let free = fcntl(STDIN_FILENO, F_DUPFD, 0)
      close(free)
      var limits = rlimit(rlim_cur: rlim_t(free + 3), rlim_max: rlim_t(free + 3))
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
      let spare = SpareResources(upToDescriptors: 20, threads: 1...1)
      exit(spare.descriptorCount == 3 ? 7 : 1)
    }
  }
}
