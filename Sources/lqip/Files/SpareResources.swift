/// What the system will still give to this process, found out by asking for it.
package struct SpareResources: Hashable, Sendable {
  /// How many files can be opened at the same time.
  package var descriptorCount: Int
  /// How many threads can be started.
  package var threadCount: Int
  /// The bytes of address space that are left; nil without a limit.
  package var addressByteCount: Int?

  package init(descriptorCount: Int, threadCount: Int, addressByteCount: Int? = nil) {
    self.descriptorCount = descriptorCount
    self.threadCount = threadCount
    self.addressByteCount = addressByteCount
  }

  /// Opens descriptors and starts threads up to a number of each, and gives them back.
  ///
  /// Limits alone do not tell: parents leave descriptors open, other processes of the user count
  /// too, and threads take address space.
  ///
  /// - Parameters:
  ///   - descriptorCount: How many descriptors are wanted.
  ///   - threadCounts: How many threads are needed and how many are wanted; the latter are taken for
  ///     granted where no limit is near.
  package init(upToDescriptors descriptorCount: Int, threads threadCounts: ClosedRange<Int>) {
    let isNearLimit =
      ResourceLimit.addresses.current != nil
      || ResourceLimit.processes.current.map { $0 < 1024 } ?? false
    // The C library keeps some of what threads have had.
    let addresses = ResourceLimit.addresses.current.map { max(0, $0 - Self.usedAddressByteCount) }
    let tried = isNearLimit ? threadCounts.upperBound : threadCounts.lowerBound
    let started = Self.startThreads(upTo: tried, until: Monitor(false))
    self.init(
      descriptorCount: Self.openDescriptors(upTo: descriptorCount),
      threadCount: started == tried ? threadCounts.upperBound : started,
      addressByteCount: addresses)
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

  private static func startThreads(upTo count: Int, until isEnded: Monitor<Bool>) -> Int {
    let wait: @Sendable () -> Void = { _ = isEnded.wait(until: nil) { $0 ? true : nil } }
    guard count > 0, let thread = try? SystemThread(wait) else {
      isEnded.update { $0 = true }
      return 0
    }
    let others = startThreads(upTo: count - 1, until: isEnded)
    thread.join()
    return others + 1
  }

  /// The first number of `/proc/self/statm`, in bytes; 0 where there is no such file.
  private static var usedAddressByteCount: Int {
    guard let file = try? FileDescriptor(opening: FilePath("/proc/self/statm"), O_RDONLY),
      let pages = Int(String(decoding: file.read(upTo: 20).prefix { $0 != 0x20 }, as: UTF8.self))
    else { return 0 }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
