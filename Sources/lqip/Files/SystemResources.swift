/// What of the machine this process may use.
package struct SystemResources: Sendable {
  /// The processors that work for it, at least one.
  package let processorCount: Int
  /// The bytes of memory beyond which it is killed, or nil where that cannot be told.
  package let memoryByteCount: Int?

  /// What there is now.
  package static let current = SystemResources(
    processorCount: sysconf(Int32(_SC_NPROCESSORS_ONLN)), memoryByteCount: physicalMemory
  ) { path in
    guard let file = try? FileDescriptor(opening: FilePath(path), O_RDONLY) else { return nil }
    return String(decoding: file.read(upTo: 4096), as: UTF8.self)
  }

  /// Takes what the machine has, less what is kept from the process.
  ///
  /// Source: proc(5); the kernel's `cgroup-v2.rst`, by which a limit holds for all groups below.
  ///
  /// - Parameters:
  ///   - processorCount: The processors of the machine.
  ///   - memoryByteCount: The memory of the machine.
  ///   - content: Gives the content of a file, or nil if there is none.
  package init(
    processorCount: Int, memoryByteCount: Int?, content: (_ path: String) -> String?
  ) {
    var processors = Double(Self.allowed(content("/proc/self/status") ?? "") ?? processorCount)
    var memory = memoryByteCount ?? .max
    for directory in Self.groups(content("/proc/self/cgroup") ?? "") {
      if let limit = Self.words(content("\(directory)/memory.max")).first.flatMap({ Int($0) }),
        limit > 0
      {
        memory = min(memory, limit)
      }
      let quota = Self.words(content("\(directory)/cpu.max")).compactMap { Double($0) }
      if quota.count == 2, quota[1] > 0 { processors = min(processors, quota[0] / quota[1]) }
    }
    self.processorCount = Int(max(1, processors.rounded(.up)))
    self.memoryByteCount = memory == .max ? nil : memory
  }

  /// The directories of a process's group and of those above it.
  private static func groups(_ list: String) -> [String] {
    let prefix = "0::/"
    guard let line = list.split(separator: "\n").first(where: { $0.hasPrefix(prefix) }) else {
      return []
    }
    let names = line.dropFirst(prefix.count).split(separator: "/")
    return (0...names.count).map { count in
      (["/sys/fs/cgroup"] + names.prefix(count).map(String.init)).joined(separator: "/")
    }
  }

  private static func words(_ text: String?) -> [Substring] {
    (text ?? "").split { $0 == " " || $0 == "\n" }
  }

  /// How many processors the process may run on: `Cpus_allowed_list: 0-3,8`.
  private static func allowed(_ status: String) -> Int? {
    let name = "Cpus_allowed_list:"
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else {
      return nil
    }
    let counts = line.dropFirst(name.count).split { " \t,".contains($0) }.map { range in
      let ends = range.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last else { return 0 }
      return last - first + 1
    }
    let count = counts.reduce(0, +)
    return count > 0 ? count : nil
  }

  private static var physicalMemory: Int? {
    #if os(Linux)
    let pages = sysconf(Int32(_SC_PHYS_PAGES))
    return pages > 0 ? pages * sysconf(Int32(_SC_PAGESIZE)) : nil
    #else
    return nil
    #endif
  }
}
