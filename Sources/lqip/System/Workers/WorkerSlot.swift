import CLqipProcess

/// Memory for the images of one worker, which the parent writes and the worker can only read.
///
/// Each worker has a memory object of its own, so that no other worker's images are within its reach. A page uses memory
/// only after it has been written.
@safe final class WorkerSlot {
  /// The number of bytes that are kept for the next image; those beyond return to the kernel after the reply.
  private static let retainedByteCount = 4 << 20

  let capacity: Int
  private let start: UnsafeMutableRawPointer
  /// The number of bytes that may differ from zero.
  private var usedCount = 0

  /// Maps a memory object of at least `capacity` bytes.
  init(mapping memory: Int32, capacity: Int, isWritable: Bool) throws(SystemError) {
    self.capacity = capacity
    let access = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
    let start = unsafe mmap(nil, capacity, access, MAP_SHARED, memory, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw .last }
    unsafe self.start = start
  }

  deinit { unsafe munmap(start, capacity) }

  /// Returns an image of `count` bytes that the parent has written; for use in the worker process.
  func image(_ count: Int) -> UnsafeRawBufferPointer {
    precondition(count <= capacity)
    return unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Copies an image into the memory, and erases what remains of longer ones.
  ///
  /// The worker must have answered all earlier requests; otherwise, it may still be reading the memory.
  func write(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= capacity)
    unsafe bytes.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      unsafe start.copyMemory(from: source, byteCount: bytes.count)
    }
    if bytes.count < usedCount {
      unsafe memset(start + bytes.count, 0, usedCount - bytes.count)
    }
    usedCount = bytes.count
  }

  /// Returns the memory of a large image to the kernel; call this method only after the reply.
  func releaseExcess() {
    #if os(Linux)
    guard usedCount > Self.retainedByteCount else { return }
    // Source: madvise(2). MADV_REMOVE frees shared pages in all processes; they then contain zeros.
    if unsafe madvise(start, usedCount, 9 /* MADV_REMOVE */) == 0 { usedCount = 0 }
    #endif
  }
}
