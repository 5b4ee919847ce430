import LqipSystem

/// The resource usage of this process.
enum ProcessFigures {
  /// The CPU time used, in seconds.
  static var processorTime: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The resident memory in bytes; nil on systems without `/proc`.
  static var residentMemory: Int? {
    guard let file = try? FileDescriptor(opening: FilePath("/proc/self/statm"), O_RDONLY) else {
      return nil
    }
    let fields = file.read(upTo: 256).split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let count = Int(String(decoding: fields[1], as: UTF8.self)) else {
      return nil
    }
    return count * sysconf(Int32(_SC_PAGESIZE))
  }

  /// The number of open descriptors; nil on systems without `/proc`.
  static var openDescriptorCount: Int? {
    guard
      var directory = try? DirectoryReader(FilePath("/proc/self/fd"), followsLinks: false)
    else { return nil }
    var count = 0
    while let entry = try? directory.next() {
      if !entry.name.starts(with: [UInt8(ascii: ".")]) { count += 1 }
    }
    // Exclude the descriptor that reads this directory.
    return count - 1
  }
}
