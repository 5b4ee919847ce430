#if canImport(CLqipLinux)
import CLqipLinux
#endif

/// The processors and the memory available to this process.
package struct SystemResources: Sendable {
  /// The number of usable processors, at least one.
  package let processorCount: Int
  /// The memory in bytes above which the kernel may kill the process; `nil` if unknown.
  package let memoryByteCount: Int?

  /// The resources of this process, determined on first access.
  package static let current = SystemResources(
    processorCount: allowedProcessorCount ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)),
    memoryByteCount: physicalMemory, content: content)

  /// Returns the content of a file of the kernel; `nil` if it cannot be read.
  fileprivate static func content(of path: String) -> String? {
    guard let file = try? FileDescriptor(opening: FilePath(path), O_RDONLY),
      let bytes = try? FileDescriptor.read(file.number, at: 0, upTo: 4096)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Computes the available resources from those of the machine and the cgroup limits.
  ///
  /// Source: the kernel's `cgroup-v2.rst`. A cgroup limit also applies to all descendant cgroups. cgroup v1 is ignored, as
  /// `Documentation/server.md` says. `content` returns the
  /// content of a file, or `nil` if it cannot be read.
  package init(
    processorCount: Int, memoryByteCount: Int?, content: (_ path: String) -> String?
  ) {
    var processors = Double(processorCount)
    var memory = memoryByteCount ?? .max
    for directory in Self.cgroupDirectories(content("/proc/self/cgroup") ?? "") {
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

  /// Returns the number of processes and threads that the cgroup limits still allow; `Int.max` without a limit.
  package static func spareProcessCount(_ content: (_ path: String) -> String?) -> Int {
    cgroupDirectories(content("/proc/self/cgroup") ?? "").map { directory in
      let (limit, count) = (content("\(directory)/pids.max"), content("\(directory)/pids.current"))
      guard let limit = words(limit).first.flatMap({ Int($0) }),
        let count = words(count).first.flatMap({ Int($0) })
      else { return .max }
      return max(0, limit - count)
    }.min() ?? .max
  }

  /// Returns the directories of the process's cgroup and its ancestors, from the content of `/proc/self/cgroup`.
  private static func cgroupDirectories(_ list: String) -> [String] {
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

  /// The number of processors that the CPU affinity allows; `nil` if unknown.
  static var allowedProcessorCount: Int? {
    #if canImport(CLqipLinux)
    var processors = cpu_set_t()
    let size = MemoryLayout<cpu_set_t>.size
    guard unsafe sched_getaffinity(0, size, &processors) == 0 else { return nil }
    return unsafe withUnsafeBytes(of: processors) { bytes in
      unsafe bytes.reduce(0) { $0 + $1.nonzeroBitCount }
    }
    #else
    return nil
    #endif
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

/// The file descriptors, threads and address space still available to this process.
package struct SpareResources: Hashable, Sendable {
  /// The number of descriptors that the process can still open.
  package var descriptorCount: Int
  /// The number of threads and processes that can still be started; `Int.max` if it is unlimited or unknown.
  package var threadCount = Int.max
  /// The address space that is still available, in bytes; `nil` if it is unlimited.
  package var addressByteCount: Int?

  /// Returns an error message if fewer than `needed` descriptors are available; otherwise `nil`.
  package func shortage(ofDescriptors needed: Int) -> String? {
    guard descriptorCount < needed else { return nil }
    return "the open-file limit allows \(descriptorCount) descriptors, but \(needed) are needed; "
      + "raise it by \(needed - descriptorCount) with 'ulimit -n'"
  }

  /// Returns an error message if fewer than `needed` threads are available; otherwise `nil`.
  package func shortage(ofThreads needed: Int) -> String? {
    guard threadCount < needed else { return nil }
    return "only \(threadCount) threads can be started, but \(needed) are needed; "
      + "raise the limit with 'ulimit -u' or 'pids.max'"
  }
}

extension SpareResources {
  /// Measures the available resources, temporarily opening up to `count` descriptors.
  ///
  /// The open-file limit alone does not determine the result, because inherited descriptors count toward it.
  package init(upToDescriptors count: Int) {
    var opened: [Int32] = []
    while opened.count < count {
      let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { break }
      opened.append(descriptor)
    }
    for descriptor in opened { close(descriptor) }
    descriptorCount = opened.count
    var limits = rlimit()
    unsafe getrlimit(addressLimit, &limits)
    addressByteCount = Int(exactly: limits.rlim_cur).map {
      max(0, $0 - Self.usedAddressByteCount)
    }
  }

  /// Measures the available resources like `init(upToDescriptors:)`, and up to `threads` threads, some of which are
  /// started for a moment if a limit may be near.
  package init(upToDescriptors count: Int, threads: Int) {
    self.init(upToDescriptors: count)
    threadCount = SystemResources.spareProcessCount { SystemResources.content(of: $0) }
    var limits = rlimit()
    unsafe getrlimit(processLimit, &limits)
    // The limit applies to all processes of the user; the number of all threads of the system is an upper bound.
    let load = SystemResources.content(of: "/proc/loadavg") ?? ""
    let all = load.split { $0 == " " || $0 == "/" }.dropFirst(4).first.flatMap { Int($0) }
    guard let limit = Int(exactly: limits.rlim_cur), limit < (all ?? 0) + threads else { return }
    threadCount = min(threadCount, SystemThread.countStartable(upTo: threads))
  }

  /// The size of this process's address space in bytes; 0 on systems without `/proc`.
  private static var usedAddressByteCount: Int {
    let pages = SystemResources.content(of: "/proc/self/statm")?.prefix { $0 != " " }
    return (pages.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}

#if canImport(Glibc)
private let openFileLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
private let addressLimit = __rlimit_resource_t(RLIMIT_AS.rawValue)
private let processLimit = __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
#else
private let openFileLimit = RLIMIT_NOFILE
private let addressLimit = RLIMIT_AS
private let processLimit = RLIMIT_NPROC
#endif

/// The limit on open files.
package enum DescriptorLimit {
  /// The highest limit that all systems accept.
  ///
  /// Some systems reject higher values even if the hard limit is unlimited.
  private static let maximum: rlim_t = 10_240

  /// Raises the soft limit to the hard limit, but not above `maximum`.
  package static func raise() {
    var limits = rlimit()
    unsafe getrlimit(openFileLimit, &limits)
    limits.rlim_cur = max(limits.rlim_cur, min(limits.rlim_max, maximum))
    unsafe setrlimit(openFileLimit, &limits)
  }
}

/// Settings of the C library's allocator, which have an effect only on Linux.
package enum Memory {
  /// Makes the allocator retain freed buffers for the next image, up to 4 MiB; larger ones return to the kernel.
  ///
  /// The page faults of new buffers can take as long as decoding a small image.
  package static func keepFreedBuffers() {
    #if canImport(CLqipLinux)
    mallopt(M_MMAP_THRESHOLD, 4 << 20)
    mallopt(M_TRIM_THRESHOLD, 4 << 20)
    #endif
  }

  /// Limits the number of allocator arenas to the number of threads that can allocate at once without contention, so
  /// that retained memory does not grow with the number of threads.
  package static func share(among count: Int) {
    #if canImport(CLqipLinux)
    mallopt(M_ARENA_MAX, Int32(clamping: count))
    #endif
  }
}
