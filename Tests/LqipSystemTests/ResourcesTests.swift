import Foundation
import Testing

@testable import LqipSystem

@Suite struct SystemResourcesTests {
  /// Returns the resources of a system with only these files.
  private func resources(_ files: [String: String], processors: Int = 16) -> SystemResources {
    SystemResources(processorCount: processors, memoryByteCount: 1 << 34) { files[$0] }
  }

  @Test func `without limits, all resources of the machine are available`() {
    for files in [
      [:], ["/proc/self/cgroup": "0::/\n"], ["/proc/self/cgroup": "4:memory:/a\n"],
      ["/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/memory.max": "max\n"],
      ["/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/cpu.max": "max 100000\n"],
      ["/proc/self/status": "Cpus_allowed_list:\t\n"],
    ] {
      #expect(resources(files).processorCount == 16)
      #expect(resources(files).memoryByteCount == 1 << 34)
    }
  }

  @Test func `the lowest limit of a cgroup and its ancestors applies`() {
    let files = [
      "/proc/self/cgroup": "1:name=systemd:/x\n0::/system.slice/lqip.service\n",
      "/sys/fs/cgroup/system.slice/lqip.service/memory.max": "2147483648\n",
      "/sys/fs/cgroup/system.slice/memory.max": "1073741824\n",
      "/sys/fs/cgroup/system.slice/lqip.service/cpu.max": "250000 100000\n",
      "/sys/fs/cgroup/system.slice/cpu.max": "max 100000\n",
    ]
    #expect(resources(files).memoryByteCount == 1 << 30)
    #expect(resources(files).processorCount == 3)
  }

  @Test(arguments: [("0", 1), ("0-3", 4), ("0,2-3,9", 4), ("1-1", 1), ("0-63", 64)])
  func `CPU affinity limits the number of processors`(list: String, count: Int) {
    let status = "Name:\tlqip\nCpus_allowed:\tff\nCpus_allowed_list:\t\(list)\nMems_allowed:\t1\n"
    #expect(resources(["/proc/self/status": status]).processorCount == count)
  }

  @Test(arguments: [
    "", "a b", "50000 100000", "1 100000", "-1 100000", "100000 0", "nan nan", "1e400 1", "0 0",
  ])
  func `malformed limits leave at least one processor and some memory`(text: String) {
    let files = [
      "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": text,
      "/sys/fs/cgroup/memory.max": text, "/proc/self/status": "Cpus_allowed_list: \(text)",
    ]
    #expect(resources(files).processorCount >= 1)
    #expect(resources(files).memoryByteCount ?? 0 > 0)
  }
}

@Suite struct SpareResourcesTests {
  @Test func `descriptors opened for counting are closed again`() {
    for _ in 0..<3 { #expect(SpareResources(upToDescriptors: 20).descriptorCount == 20) }
  }

  @Test func `a descriptor shortage is reported with the available and the required number`() {
    let spare = SpareResources(descriptorCount: 8)
    #expect(spare.shortage(ofDescriptors: 8) == nil)
    #expect(
      spare.shortage(ofDescriptors: 9)
        == "the open-file limit allows 8 descriptors, but 9 are needed; raise it with 'ulimit -n'")
  }
}
