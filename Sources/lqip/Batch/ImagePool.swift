internal import LqipFiles
internal import LqipRecords

/// Reads many images at a time and decodes few of them, on threads of its own.
///
/// Reading waits for disks and networks, decoding for a core. There are as many threads as images may be
/// decoded; more are started while cores are idle for want of bytes, and end where they wait for a core. A
/// read that does not come back is given up: its thread is left behind, and another takes its place.
final class ImagePool<Work: Sendable, Outcome: Sendable>: Sendable {
  /// What a thread has to say while it is at a piece of work.
  struct Turn: EncodingTurn, Sendable {
    fileprivate let pool: ImagePool
    fileprivate let number: Int

    /// Says that a call of the system came back, and that the next is made.
    func goOn() {
      pool.state.withLock { $0.running[number]?.since = .now }
    }

    /// Waits for room for what is to be read, and gives false for what is too much to be held.
    func reserve(_ byteCount: Int) -> Bool {
      guard byteCount <= pool.readAhead / 2 else { return false }
      pool.wait(number) { pool.takeRoom(byteCount) }
      let isHeld = pool.state.withLock { state in
        state.running[number]?.byteCount += byteCount
        return state.running[number] != nil
      }
      if !isHeld { pool.releaseRoom(byteCount) }
      return true
    }

    /// Does what needs a core as soon as one is free.
    func decode<Result>(_ body: () -> Result) -> Result {
      let wasSlow = pool.state.withLock { $0.running[number]?.hasWaited ?? false }
      if wasSlow { pool.startReader() }
      var isSurplus = false
      pool.wait(number) { isSurplus = pool.takeSlot() && !wasSlow }
      pool.state.withLock { state in
        state.running[number]?.holdsSlot = true
        state.running[number]?.isSurplus = isSurplus
      }
      let result = body()
      let isGivenUp = pool.state.withLock { state in
        defer { state.running[number]?.holdsSlot = false }
        return state.running[number] == nil && state.abandoned.contains(number)
      }
      // Whoever gave it up has given back the slot.
      if !isGivenUp { pool.releaseSlot() }
      return result
    }
  }

  private struct State {
    var waiting: [Work] = []
    var running: [Int: Running] = [:]
    var threadCount = 0
    var lastNumber = 0
    /// The work that was given up while it held a slot.
    var abandoned: Set<Int> = []
    var abandonedCount = 0
    var isWatched = false
    var isStopped = false
  }

  private let decodes: Int
  private let threadLimit: Int
  private let stallTimeout: Duration
  private let readAhead: Int
  private let perform: @Sendable (Work, Turn) -> Outcome
  private let deliver: @Sendable (Work, Outcome?, Bool) -> Void
  private let state = Monitor(State())
  private let slots: Monitor<Slots>
  private let room: Monitor<Int>
  private let isEnded = Monitor(false)

  /// Makes a pool without threads.
  ///
  /// - Parameters:
  ///   - concurrency: How many images are worked on at a time.
  ///   - deliver: Is given what came of the work, nil if it was given up, and whether more is wanted soon.
  ///   - perform: Does the work.
  init(
    _ concurrency: BatchEncoder.Concurrency,
    deliver: @escaping @Sendable (Work, Outcome?, _ wantsMore: Bool) -> Void,
    perform: @escaping @Sendable (Work, Turn) -> Outcome
  ) {
    decodes = concurrency.jobs
    threadLimit = max(concurrency.jobs, concurrency.reads)
    stallTimeout = concurrency.stallTimeout
    readAhead = concurrency.readAhead
    self.deliver = deliver
    self.perform = perform
    slots = Monitor(Slots(free: decodes))
    room = Monitor(readAhead)
  }

  /// Whether more work would soon find a thread.
  var hasRoom: Bool {
    state.withLock { $0.waiting.count < threadLimit }
  }

  /// How many threads wait for reads that were given up.
  var abandonedCount: Int {
    state.withLock { $0.abandonedCount }
  }

  /// The work that has waited longest for the system, and since when.
  var slowest: (work: Work, since: ContinuousClock.Instant)? {
    state.withLock { state in
      let all = state.running.values.compactMap { running in
        running.since.map { (work: running.work, since: $0) }
      }
      return all.min { $0.since < $1.since }
    }
  }

  /// Hands in work.
  ///
  /// - Throws: The system's error if there is no thread at all.
  func add(_ work: Work) throws(SystemError) {
    let isFirst = state.updateOne { state in
      state.waiting.append(work)
      return state.lastNumber == 0 && state.threadCount == 0
    }
    if isFirst { try startThread() } else { startThread(ifFewerThan: decodes) }
  }

  /// Starts one more thread if cores are idle while all others read, and tells whether it did.
  @discardableResult
  func startReader() -> Bool {
    let isIdle = slots.withLock { $0.free > 0 && $0.waiters == 0 }
    return isIdle && startThread(ifFewerThan: threadLimit)
  }

  /// Whether what hangs is given up.
  var isWatched: Bool {
    state.withLock { $0.isWatched }
  }

  /// Gives up what hangs, from now on if there is a thread for it; short batches do without.
  func startWatching() {
    let watcher = try? SystemThread { [self] in watch() }
    state.withLock { $0.isWatched = watcher != nil }
  }

  /// Takes back all work that no thread has begun.
  func removeAll() -> [Work] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Ends the threads when they have finished what they are at.
  func stop() {
    state.update { $0.isStopped = true }
    isEnded.update { $0 = true }
  }

  private func startThread() throws(SystemError) {
    state.withLock { $0.threadCount += 1 }
    do throws(SystemError) {
      _ = try SystemThread { [self] in run() }
    } catch {
      state.withLock { $0.threadCount -= 1 }
      throw error
    }
  }

  /// Starts a thread if there is work that no thread is free for.
  @discardableResult
  private func startThread(ifFewerThan limit: Int) -> Bool {
    let isWanted = state.withLock { state in
      !state.waiting.isEmpty && state.threadCount < limit
        && state.running.count >= state.threadCount
    }
    // With fewer threads than there could be, it only takes longer.
    if isWanted { try? startThread() }
    return isWanted
  }

  private func run() {
    var isSurplus = false
    while let (number, work) = next(isSurplus) {
      startThread(ifFewerThan: decodes)
      let outcome = perform(work, Turn(pool: self, number: number))
      guard let end = finish(number) else { return }
      isSurplus = end.isSurplus
      deliver(work, outcome, end.wantsMore)
    }
  }

  /// Waits for work; nil if the thread is to end.
  private func next(_ isSurplus: Bool) -> (Int, Work)? {
    let next = state.wait(until: nil) { state -> (Int, Work)?? in
      // Asked each time: a thread that leaves for what was so before could leave work behind.
      let isCrowded =
        state.threadCount > decodes && (isSurplus || slots.withLock { $0.waiters > decodes })
      guard !state.isStopped, !isCrowded else {
        state.threadCount -= 1
        return .some(nil)
      }
      guard !state.waiting.isEmpty else { return nil }
      let work = state.waiting.removeFirst()
      state.lastNumber += 1
      state.running[state.lastNumber] = Running(work)
      return (state.lastNumber, work)
    }
    return next ?? nil
  }

  /// Whether more is wanted soon, and whether the thread is one too many; nil if somebody has given up the
  /// work meanwhile.
  private func finish(_ number: Int) -> (wantsMore: Bool, isSurplus: Bool)? {
    let (running, wantsMore) = state.withLock { state in
      (state.running.removeValue(forKey: number), state.waiting.count < max(1, threadLimit / 2))
    }
    guard let running else { return nil }
    releaseRoom(running.byteCount)
    return (wantsMore, running.isSurplus)
  }

  /// Waits for others, which is not the system's fault.
  private func wait(_ number: Int, _ body: () -> Void) {
    state.withLock { $0.running[number]?.since = nil }
    body()
    state.withLock { $0.running[number]?.since = .now }
  }

  /// Waits for a core, and tells whether none was free.
  private func takeSlot() -> Bool {
    slots.withLock { $0.waiters += 1 }
    var hasWaited = false
    _ = slots.wait(until: nil) { slots -> Void? in
      guard slots.free > 0 else {
        hasWaited = true
        return nil
      }
      slots.free -= 1
      slots.waiters -= 1
    }
    return hasWaited
  }

  private func releaseSlot() { slots.updateOne { $0.free += 1 } }

  private func takeRoom(_ byteCount: Int) {
    _ = room.wait(until: nil) { room -> Void? in
      guard room >= byteCount else { return nil }
      room -= byteCount
    }
  }

  private func releaseRoom(_ byteCount: Int) {
    if byteCount > 0 { room.update { $0 += byteCount } }
  }

  /// Gives up what hangs, until the pool is stopped.
  private func watch() {
    let interval = max(.milliseconds(10), min(stallTimeout / 4, .milliseconds(500)))
    var lastLook = ContinuousClock.now
    while isEnded.wait(until: .now + interval, for: { $0 ? true : nil }) == nil {
      // While the whole process is stopped, nothing of it hangs.
      let passed = min(lastLook.duration(to: .now), interval * 2)
      lastLook = .now
      let hanging = state.withLock { state -> [Running] in
        for number in state.running.keys { state.running[number]?.pass(passed) }
        let late = state.running.filter { $0.value.stalled > stallTimeout }
        for (number, running) in late {
          state.running[number] = nil
          state.threadCount -= 1
          state.abandonedCount += 1
          if running.holdsSlot { state.abandoned.insert(number) }
        }
        return Array(late.values)
      }
      for running in hanging {
        releaseRoom(running.byteCount)
        if running.holdsSlot { releaseSlot() }
        try? startThread()
        deliver(running.work, nil, true)
      }
    }
  }
}
