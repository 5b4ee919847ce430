import CLqipProcess

/// Memory that this process shares with the workers that are forked later: a slot for each.
///
/// It is anonymous, so that a worker needs no file to get it, and a slot's pages take memory once they are written.
@safe final class WorkerBoard: @unchecked Sendable {
  fileprivate static let pageLength = max(4096, sysconf(Int32(_SC_PAGESIZE)))

  /// How many bytes of input a slot has room for.
  let inputCapacity: Int
  private let start: UnsafeMutableRawPointer
  private let slotLength: Int
  private let slotCount: Int
  private let free: Monitor<[Int]>

  /// Reserves the slots.
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

  /// Takes a slot for a new worker; the error is `EAGAIN` if there is none.
  func take() throws(SystemError) -> WorkerMemory {
    guard let index = free.withLock({ $0.popLast() }) else { throw .wouldBlock }
    let memory = memory(at: index)
    memory.progress = WorkerMemory.Progress(message: 0, index: 0)
    return memory
  }

  /// Keeps one slot and unmaps all others, in the process of a worker.
  func keepOnly(_ index: Int) -> WorkerMemory {
    let offset = slotLength * index
    if offset > 0 { unsafe munmap(start, offset) }
    let end = offset + slotLength
    if end < slotLength * slotCount { unsafe munmap(start + end, slotLength * slotCount - end) }
    return memory(at: index)
  }

  fileprivate func giveBack(_ index: Int) { free.withLock { $0.append(index) } }

  private func memory(at index: Int) -> WorkerMemory {
    unsafe WorkerMemory(self, index, start + slotLength * index)
  }
}

/// A worker's slot: a word that says what it is at, and room for the bytes of an image that comes without a file.
@safe final class WorkerMemory: @unchecked Sendable {
  /// What was written beyond this is given back to the system after each use.
  private static let keptLength = 1 << 20

  /// Names the slot in what is said to the zygote.
  let index: Int
  private let board: WorkerBoard
  private let start: UnsafeMutableRawPointer

  @unsafe fileprivate init(_ board: WorkerBoard, _ index: Int, _ start: UnsafeMutableRawPointer) {
    self.board = board
    self.index = index
    unsafe self.start = start
  }

  deinit { board.giveBack(index) }

  /// The message and the image in it that the worker has begun last.
  var progress: Progress {
    get { Progress(word: unsafe lqip_load_shared(word)) }
    set { unsafe lqip_store_shared(word, newValue.word) }
  }

  private var word: UnsafeMutablePointer<UInt64> {
    unsafe start.assumingMemoryBound(to: UInt64.self)
  }

  /// The bytes of input that the parent wrote, in the worker.
  func input(_ count: Int) -> UnsafeRawBufferPointer {
    precondition(count <= board.inputCapacity)
    return unsafe UnsafeRawBufferPointer(start: start + WorkerBoard.pageLength, count: count)
  }

  /// Writes the input of the next image.
  func write(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= board.inputCapacity)
    unsafe bytes.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      unsafe (start + WorkerBoard.pageLength).copyMemory(from: source, byteCount: bytes.count)
    }
  }

  /// Gives back what a large input took.
  func release(_ count: Int) {
    #if os(Linux)
    guard count > Self.keptLength else { return }
    // Source: madvise(2). The pages are freed in every process that has them.
    unsafe madvise(start + WorkerBoard.pageLength, count, 9 /* MADV_REMOVE */)
    #endif
  }
}

extension WorkerMemory {
  /// How far a worker has come.
  struct Progress: Hashable {
    /// The number of the message, counted from 1.
    var message: UInt32
    /// The index of the image in it.
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
