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

/// What the system will still give to this process, found out by asking for it.
package struct SpareResources: Hashable, Sendable {
  /// How many files can be opened at the same time.
  package var descriptorCount: Int
  /// The bytes of address space that are left; nil without a limit.
  package var addressByteCount: Int?

  package init(descriptorCount: Int, addressByteCount: Int? = nil) {
    self.descriptorCount = descriptorCount
    self.addressByteCount = addressByteCount
  }

  /// Opens descriptors up to a number, and gives them back.
  ///
  /// The limit alone does not tell: parents leave descriptors open.
  package init(upToDescriptors descriptorCount: Int) {
    self.init(
      descriptorCount: Self.openDescriptors(upTo: descriptorCount),
      addressByteCount: Self.spareAddressByteCount)
  }

  /// Why a program cannot do its work with these descriptors; nil if it can.
  ///
  /// - Parameter needed: How many it needs.
  /// - Returns: What there is, what is needed, and where to look.
  package func shortage(ofDescriptors needed: Int) -> String? {
    guard descriptorCount < needed else { return nil }
    return "the open-file limit allows \(descriptorCount) descriptors, but \(needed) are needed; "
      + "raise it with 'ulimit -n'"
  }

  /// The bytes of address space that are left now; nil without a limit.
  package static var spareAddressByteCount: Int? {
    ResourceLimit.addresses.current.map { max(0, $0 - usedAddressByteCount) }
  }

  private static func openDescriptors(upTo count: Int) -> Int {
    var opened: [Int32] = []
    while opened.count < count {
      let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { break }
      opened.append(descriptor)
    }
    for descriptor in opened { close(descriptor) }
    return opened.count
  }

  /// The first number of `/proc/self/statm`, in bytes; 0 where there is no such file.
  static var usedAddressByteCount: Int {
    guard let file = try? FileDescriptor(opening: FilePath("/proc/self/statm"), O_RDONLY),
      let pages = Int(String(decoding: file.read(upTo: 20).prefix { $0 != 0x20 }, as: UTF8.self))
    else { return 0 }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}

/// The limits that the system sets to what a process may take.
struct ResourceLimit {
  #if canImport(Glibc)
  static let openFiles = ResourceLimit(number: __rlimit_resource_t(RLIMIT_NOFILE.rawValue))
  static let addresses = ResourceLimit(number: __rlimit_resource_t(RLIMIT_AS.rawValue))

  private let number: __rlimit_resource_t
  #else
  static let openFiles = ResourceLimit(number: RLIMIT_NOFILE)
  static let addresses = ResourceLimit(number: RLIMIT_AS)

  private let number: Int32
  #endif

  /// What holds now, and what it can be raised to.
  var values: rlimit {
    get {
      var values = rlimit()
      unsafe getrlimit(number, &values)
      return values
    }
    nonmutating set {
      var values = newValue
      unsafe setrlimit(number, &values)
    }
  }

  /// The limit that holds for this process; nil if there is none.
  var current: Int? { Int(exactly: values.rlim_cur) }
}

/// How many files this process may have open.
package enum DescriptorLimit {
  /// What some systems take at most, whatever they say.
  private static let maximum: rlim_t = 10_240

  /// Raises the soft limit to the hard limit, at most `maximum`.
  package static func raise() {
    var limits = ResourceLimit.openFiles.values
    limits.rlim_cur = max(limits.rlim_cur, min(limits.rlim_max, maximum))
    ResourceLimit.openFiles.values = limits
  }
}
