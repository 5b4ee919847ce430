import CLqipProcess

/// Memory shared with workers, divided into one slot per worker.
///
/// It must be mapped before the workers are forked. The mapping is anonymous, so workers need no file access. A page
/// uses memory only after it has been written.
@safe final class SharedSlots: @unchecked Sendable {
  fileprivate static let pageLength = max(4096, sysconf(Int32(_SC_PAGESIZE)))

  private let start: UnsafeMutableRawPointer
  private let slotLength: Int
  private let slotCount: Int
  private let freeIndices: Monitor<[Int]>

  init(slotCount: Int, inputCapacity: Int) throws(SystemError) {
    self.slotCount = slotCount
    let pages = (inputCapacity + Self.pageLength - 1) / Self.pageLength
    slotLength = Self.pageLength * (1 + pages)
    let (length, isTooLong) = slotLength.multipliedReportingOverflow(by: slotCount)
    guard !isTooLong else { throw SystemError(number: ENOMEM) }
    #if os(Linux)
    let flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE
    #else
    let flags = MAP_SHARED | MAP_ANON
    #endif
    let start = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw .last }
    unsafe self.start = start
    freeIndices = Monitor(Array((0..<slotCount).reversed()))
  }

  deinit { unsafe munmap(start, slotLength * slotCount) }

  /// Allocates a slot for a new worker.
  ///
  /// - Throws: `EAGAIN` if no slot is free.
  func allocate() throws(SystemError) -> WorkerSlot {
    guard let index = freeIndices.withLock({ $0.popLast() }) else { throw .wouldBlock }
    let slot = slot(at: index)
    slot.progress = WorkerProgress(message: 0, index: 0)
    return slot
  }

  func release(_ slot: WorkerSlot) { freeIndices.withLock { $0.append(slot.index) } }

  /// Unmaps all slots except one, and returns that slot.
  ///
  /// A worker process must call this method before decoding, so that it cannot access the images of other workers.
  func keepOnly(_ index: Int) -> WorkerSlot {
    let offset = slotLength * index
    if offset > 0 { unsafe munmap(start, offset) }
    let end = offset + slotLength
    if end < slotLength * slotCount { unsafe munmap(start + end, slotLength * slotCount - end) }
    return slot(at: index)
  }

  private func slot(at index: Int) -> WorkerSlot {
    let capacity = slotLength - Self.pageLength
    return unsafe WorkerSlot(
      index: index, inputCapacity: capacity, start: start + slotLength * index)
  }
}

/// The shared memory of one worker: a page with the worker's progress, then an input buffer for one image.
@safe struct WorkerSlot {
  /// The maximum size in bytes of an input whose pages are kept for the next input.
  private static let retainedByteCount = 4 << 20

  let index: Int
  fileprivate let inputCapacity: Int
  fileprivate let start: UnsafeMutableRawPointer

  /// The message and image that the worker started most recently; untrusted in the parent.
  var progress: WorkerProgress {
    get {
      let value = unsafe lqip_load_shared(word)
      return WorkerProgress(
        message: UInt32(truncatingIfNeeded: value >> 32),
        index: Int(UInt32(truncatingIfNeeded: value)))
    }
    nonmutating set {
      let index = UInt32(truncatingIfNeeded: newValue.index)
      unsafe lqip_store_shared(word, UInt64(newValue.message) << 32 | UInt64(index))
    }
  }

  private var word: UnsafeMutablePointer<UInt64> {
    unsafe start.assumingMemoryBound(to: UInt64.self)
  }

  private var buffer: UnsafeMutableRawPointer { unsafe start + SharedSlots.pageLength }

  /// Returns an image of `count` bytes that the parent has written; for use in the worker process.
  func input(_ count: Int) -> UnsafeRawBufferPointer {
    precondition(count <= inputCapacity)
    return unsafe UnsafeRawBufferPointer(start: buffer, count: count)
  }

  /// Copies an image to the input buffer.
  ///
  /// The worker must have answered all earlier messages; otherwise, it may still be reading the buffer.
  func write(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= inputCapacity)
    unsafe bytes.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      unsafe buffer.copyMemory(from: source, byteCount: bytes.count)
    }
  }

  /// Returns the memory of a large input to the kernel; call this method only after the reply.
  func releaseInput(_ count: Int) {
    #if os(Linux)
    guard count > Self.retainedByteCount else { return }
    // Source: madvise(2). MADV_REMOVE frees shared pages in all processes.
    unsafe madvise(buffer, count, 9 /* MADV_REMOVE */)
    #endif
  }
}

/// The position of an image in the messages to a worker.
struct WorkerProgress: Hashable {
  /// The number of the message, starting at 1; 0 before the first message.
  var message: UInt32
  var index: Int
}
