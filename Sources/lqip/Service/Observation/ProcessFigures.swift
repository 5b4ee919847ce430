import LqipSystem

/// What the system knows of this process.
enum ProcessFigures {
  /// The processor time that was spent, in seconds.
  static var processorTime: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The bytes of memory that are in use; nil where the system has no such file.
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

  /// How many descriptors are open; nil where the system has no such directory.
  static var openDescriptorCount: Int? {
    guard
      var directory = try? DirectoryReader(FilePath("/proc/self/fd"), followsLinks: false)
    else { return nil }
    var count = 0
    while let entry = try? directory.next() {
      if !entry.name.starts(with: [UInt8(ascii: ".")]) { count += 1 }
    }
    // One of them is there to read the others.
    return count - 1
  }
}
