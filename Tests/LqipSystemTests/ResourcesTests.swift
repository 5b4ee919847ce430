#if canImport(CLqipLinux)
import CLqipLinux
#endif
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
    ] {
      #expect(resources(files).processorCount == 16)
      #expect(resources(files).memoryByteCount == 1 << 34)
    }
  }

  @Test func `the strictest limit on processes of a cgroup and its ancestors applies`() {
    let files = [
      "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/pids.max": "max\n",
      "/sys/fs/cgroup/a/b/pids.current": "5\n", "/sys/fs/cgroup/a/pids.max": "100\n",
      "/sys/fs/cgroup/a/pids.current": "40\n",
    ]
    #expect(SystemResources.spareProcessCount { files[$0] } == 60)
    #expect(SystemResources.spareProcessCount { _ in nil } == .max)
  }

  @Test func `startable threads are counted up to a maximum`() {
    #expect(SystemThread.countStartable(upTo: 30) == 30)
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

  #if canImport(CLqipLinux)
  @Test func `CPU affinity limits the number of processors`() throws {
    var all = cpu_set_t()
    let size = MemoryLayout<cpu_set_t>.size
    try #require(unsafe sched_getaffinity(0, size, &all) == 0)
    defer { unsafe sched_setaffinity(0, size, &all) }
    var first = cpu_set_t()
    let word = unsafe withUnsafeBytes(of: all) { unsafe $0.load(as: UInt.self) }
    unsafe withUnsafeMutableBytes(of: &first) {
      unsafe $0.storeBytes(of: word & ~(word &- 1), as: UInt.self)
    }
    try #require(unsafe sched_setaffinity(0, size, &first) == 0)
    #expect(SystemResources.allowedProcessorCount == 1)
  }
  #endif

  @Test(arguments: [
    "", "a b", "50000 100000", "1 100000", "-1 100000", "100000 0", "nan nan", "1e400 1", "0 0",
  ])
  func `malformed limits leave at least one processor and some memory`(text: String) {
    let files = [
      "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": text,
      "/sys/fs/cgroup/memory.max": text,
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
        == "the open-file limit allows 8 descriptors, but 9 are needed; "
        + "raise it by 1 with 'ulimit -n'")
  }
}
