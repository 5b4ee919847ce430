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

  /// Why a program cannot do its work with this address space; nil if it can.
  ///
  /// - Parameter needed: How many bytes it needs.
  /// - Returns: As for descriptors.
  package func shortage(ofAddresses needed: Int) -> String? {
    guard let addressByteCount, addressByteCount < needed else { return nil }
    return "\(addressByteCount >> 20) MiB of address space is left, but \(needed >> 20) MiB is "
      + "needed; raise the limit with 'ulimit -v'"
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
