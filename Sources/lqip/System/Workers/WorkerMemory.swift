import CLqipProcess

/// Memory shared with the workers that are forked later, divided into one slot per worker.
///
/// The mapping is anonymous, so workers need no file access. A page uses memory only after it has been written.
@safe final class WorkerBoard: @unchecked Sendable {
  fileprivate static let pageLength = max(4096, sysconf(Int32(_SC_PAGESIZE)))

  /// The input capacity of a slot in bytes.
  let inputCapacity: Int
  private let start: UnsafeMutableRawPointer
  private let slotLength: Int
  private let slotCount: Int
  private let free: Monitor<[Int]>

  /// Maps the memory for all slots.
  init(slotCount: Int, inputCapacity: Int) throws(SystemError) {
    self.inputCapacity = inputCapacity
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
    free = Monitor(Array((0..<slotCount).reversed()))
  }

  deinit { unsafe munmap(start, slotLength * slotCount) }

  /// Takes a free slot for a new worker; throws `EAGAIN` if all slots are in use.
  func take() throws(SystemError) -> WorkerMemory {
    guard let index = free.withLock({ $0.popLast() }) else { throw .wouldBlock }
    let memory = memory(at: index)
    memory.progress = WorkerMemory.Progress(message: 0, index: 0)
    return memory
  }

  /// Unmaps all slots but one.
  ///
  /// Called in a worker process, so that it cannot access the slots of other workers.
  func keepOnly(_ index: Int) -> WorkerMemory {
    let offset = slotLength * index
    if offset > 0 { unsafe munmap(start, offset) }
    let end = offset + slotLength
    if end < slotLength * slotCount { unsafe munmap(start + end, slotLength * slotCount - end) }
    return memory(at: index)
  }

  fileprivate func release(_ index: Int) { free.withLock { $0.append(index) } }

  private func memory(at index: Int) -> WorkerMemory {
    unsafe WorkerMemory(self, index, start + slotLength * index)
  }
}

/// A worker's slot: its progress, and a buffer for an image that is not in a file.
@safe final class WorkerMemory: @unchecked Sendable {
  /// The size in bytes above which an input's pages are returned to the system after use.
  private static let retainedLength = 1 << 20

  /// The slot's number in messages to the zygote.
  let index: Int
  private let board: WorkerBoard
  private let start: UnsafeMutableRawPointer

  @unsafe fileprivate init(_ board: WorkerBoard, _ index: Int, _ start: UnsafeMutableRawPointer) {
    self.board = board
    self.index = index
    unsafe self.start = start
  }

  deinit { board.release(index) }

  /// The last message and image that the worker has started on.
  var progress: Progress {
    get { Progress(word: unsafe lqip_load_shared(word)) }
    set { unsafe lqip_store_shared(word, newValue.word) }
  }

  private var word: UnsafeMutablePointer<UInt64> {
    unsafe start.assumingMemoryBound(to: UInt64.self)
  }

  /// Returns the input that the parent wrote.
  ///
  /// Called in the worker process.
  func input(_ count: Int) -> UnsafeRawBufferPointer {
    precondition(count <= board.inputCapacity)
    return unsafe UnsafeRawBufferPointer(start: start + WorkerBoard.pageLength, count: count)
  }

  /// Copies the next image to the input buffer.
  func write(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= board.inputCapacity)
    unsafe bytes.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      unsafe (start + WorkerBoard.pageLength).copyMemory(from: source, byteCount: bytes.count)
    }
  }

  /// Returns the pages of a large input to the system.
  func release(_ count: Int) {
    #if os(Linux)
    guard count > Self.retainedLength else { return }
    // Source: madvise(2). MADV_REMOVE frees shared pages in all processes.
    unsafe madvise(start + WorkerBoard.pageLength, count, 9 /* MADV_REMOVE */)
    #endif
  }
}

extension WorkerMemory {
  /// The message and the image that a worker is processing.
  struct Progress: Hashable {
    /// The number of the message, starting at 1.
    var message: UInt32
    /// The index of the image in the message.
    var index: Int

    init(message: UInt32, index: Int) {
      self.message = message
      self.index = index
    }

    fileprivate init(word: UInt64) {
      message = UInt32(truncatingIfNeeded: word >> 32)
      index = Int(UInt32(truncatingIfNeeded: word))
    }

    fileprivate var word: UInt64 {
      UInt64(message) << 32 | UInt64(UInt32(truncatingIfNeeded: index))
    }
  }
}
