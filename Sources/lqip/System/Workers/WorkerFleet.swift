import CLqipProcess

/// How many workers there may be.
package struct FleetSize: Hashable, Sendable {
  /// As long as they use the processors.
  package var usual: Int
  /// While they wait for reads.
  package var most: Int

  package init(usual: Int, most: Int) {
    self.usual = usual
    self.most = most
  }
}

/// Keeps many workers busy from one thread: images go out in small groups, and what came of them is waited for.
package final class WorkerFleet<Reply> {
  /// What came of a job.
  package enum Outcome {
    case reply(Reply)
    case failed(WorkerFailure)
    /// Nothing, through no fault of its own: another image of its message has killed the worker.
    case lost
  }

  /// Jobs that go out with the next message.
  private struct Draft {
    var jobs: [Int] = []
    var writer = MessageWriter(capacity: 2048)
    var descriptors: [Int32] = []
    var byteCount = 0
    /// Who gets them; never nil while there are jobs.
    var member: Member?
  }

  private final class Member {
    let worker: Worker
    /// The jobs of each message that is not answered, the oldest first.
    var messages: [[Int]] = []
    var imageCount = 0
    /// Why it was killed, if it was.
    var failure: WorkerFailure?
    var time: UInt64 = 0

    init(_ worker: Worker) {
      self.worker = worker
    }
  }

  /// A group of images takes no longer than one of a usual size.
  private static var gatheredByteCount: Int { 64 << 10 }
  /// How often busy workers are looked at.
  private static var watchInterval: Duration { .milliseconds(50) }
  /// How long processors have to be idle, while work waits, until there are more workers.
  private static var growthInterval: Duration { .milliseconds(10) }
  /// Below this share of the processors' time they are idle.
  private static var idleShare: Double { 0.75 }

  private let supply: WorkerSupply
  private let size: FleetSize
  private let parse: ([UInt8]) throws(MalformedMessage) -> Reply
  private let deadlines: WorkerDeadlines
  private let wakeUp: WakeUp
  private var members: [Member] = []
  private var target = 0
  private var draft = Draft()
  private var lastWatch = ContinuousClock.now
  private var lastGrowth = ContinuousClock.now
  private var buffer = [UInt8](repeating: 0, count: WorkerChannel.capacity)
  /// Whether the system has no room for more descriptors in messages until some arrive.
  private var isClogged = false

  /// Prepares a fleet without workers.
  ///
  /// - Parameters:
  ///   - supply: Where they come from.
  ///   - size: How many there may be.
  ///   - deadlines: How long one image may take.
  ///   - wakeUp: Ends a wait from other threads.
  ///   - parse: Parses the reply of a worker, which is replaced if that throws.
  package init(
    _ supply: WorkerSupply, _ size: FleetSize, _ deadlines: WorkerDeadlines, wakeUp: WakeUp,
    parse: @escaping ([UInt8]) throws(MalformedMessage) -> Reply
  ) {
    self.supply = supply
    self.parse = parse
    self.size = FleetSize(
      usual: min(size.usual, supply.limit), most: min(max(size.usual, size.most), supply.limit))
    self.deadlines = deadlines
    self.wakeUp = wakeUp
    target = self.size.usual
  }

  /// How many images are with workers.
  package var pendingCount: Int {
    members.reduce(draft.jobs.count) { $0 + $1.messages.reduce(0) { $0 + $1.count } }
  }

  /// The job that a worker has been at for longest, and since when, as far as it was looked at.
  package var slowest: (job: Int, since: ContinuousClock.Instant)? {
    members.compactMap { member in
      guard let jobs = member.messages.first else { return nil }
      let index = min(member.worker.currentIndex, jobs.count - 1)
      return (jobs[index], member.worker.currentStart)
    }.min { $0.since < $1.since }
  }

  /// Whether a worker can take another image.
  ///
  /// - Parameter waitingCount: The number of images that wait; while they are many, a worker gets its next images
  ///   before it has done with those that it is at.
  /// - Returns: Whether ``add(_:_:file:byteCount:of:)`` may be called.
  package func hasRoom(for waitingCount: Int) -> Bool {
    guard !isClogged else { return false }
    return draft.member != nil || members.count < target || vacantMember(for: waitingCount) != nil
  }

  /// Takes on a job whose image is a file, which is closed when it has been sent.
  ///
  /// - Parameters:
  ///   - job: The caller's number for it.
  ///   - request: What the worker is to do.
  ///   - file: An open file.
  ///   - byteCount: Its size.
  ///   - waitingCount: How many images wait, this one included.
  /// - Precondition: There is room.
  /// - Throws: That there are no workers.
  package func add(
    _ job: Int, _ request: [UInt8], file: Int32, byteCount: Int, of waitingCount: Int
  ) throws(WorkerError) {
    if !draft.jobs.isEmpty, draft.byteCount + byteCount > Self.gatheredByteCount { try flush() }
    if draft.member == nil {
      draft.member =
        try member(for: waitingCount)
        ?? members.min { $0.messages.count < $1.messages.count }
    }
    WorkerRequest(source: .file, bytes: request).add(to: &draft.writer)
    draft.jobs.append(job)
    draft.descriptors.append(file)
    draft.byteCount += byteCount
    // What is shared out in larger groups leaves some workers without.
    let groupSize = max(1, min(WorkerProcess.gatherLimit, waitingCount / (2 * target)))
    if draft.jobs.count >= groupSize || draft.byteCount >= Self.gatheredByteCount { try flush() }
  }

  /// Takes on a job whose image is in memory, of which a worker can have only one at a time.
  ///
  /// - Returns: Whether a worker was free for it.
  package func add(
    _ job: Int, _ request: [UInt8], _ bytes: Span<UInt8>
  ) throws(WorkerError) -> Bool {
    try flush()
    guard let member = try member(for: 0) else { return false }
    member.worker.write(bytes)
    WorkerRequest(source: .memory(bytes.count), bytes: request).add(to: &draft.writer)
    draft.jobs = [job]
    draft.member = member
    try flush()
    return true
  }

  /// Sends what was gathered.
  private func flush() throws(WorkerError) {
    guard let member = draft.member else { return }
    do throws(SystemError) {
      try member.worker.send(draft.writer.bytes, draft.descriptors)
    } catch {
      switch error.number {
      // Too many descriptors are on their way; they go on when some have arrived.
      case ETOOMANYREFS where pendingCount > draft.jobs.count:
        isClogged = true
        return
      // A worker that has just ended says so when its channel is read; its jobs are lost with it.
      case EPIPE, ECONNRESET, ENOTCONN: break
      default: throw .system(error)
      }
    }
    for descriptor in draft.descriptors { close(descriptor) }
    member.messages.append(draft.jobs)
    member.imageCount += draft.jobs.count
    draft = Draft()
  }

  /// An idle worker, or a new one if there may be more, or, while much waits, one that is busy.
  private func member(for waitingCount: Int) throws(WorkerError) -> Member? {
    if let idle = vacantMember(for: 0) { return idle }
    if members.count < target {
      do throws(WorkerError) {
        let member = Member(try supply.start())
        members.append(member)
        return member
      } catch {
        // Where the system has no more processes, those that there are do the work.
        guard !members.isEmpty else { throw error }
        target = members.count
      }
    }
    return vacantMember(for: waitingCount)
  }

  /// The worker with the fewest messages, if that is none, or one while much waits.
  private func vacantMember(for waitingCount: Int) -> Member? {
    let depth = waitingCount > members.count ? 1 : 0
    return members.filter { $0.failure == nil && $0.imageCount < Worker.imageLimit }
      .min { $0.messages.count < $1.messages.count }
      .flatMap { $0.messages.count <= depth ? $0 : nil }
  }

  /// Waits until jobs are done, another thread ends the wait, or a deadline passes.
  ///
  /// - Parameters:
  ///   - deadline: When to return in any case; nil for never.
  ///   - waitingCount: How many images wait for a worker.
  /// - Returns: The jobs that are done.
  /// - Throws: That there are no workers.
  package func wait(
    until deadline: ContinuousClock.Instant?, waitingCount: Int
  ) throws(WorkerError) -> [(job: Int, outcome: Outcome)] {
    try flush()
    let now = ContinuousClock.now
    let canGrow = waitingCount > 0 && target < size.most && members.count == target
    let isBusy = members.contains { !$0.messages.isEmpty }
    let ends = [
      deadline, canGrow ? max(now, lastGrowth + Self.growthInterval) : nil,
      isBusy ? max(now, lastWatch + Self.watchInterval) : nil,
    ].compactMap(\.self)
    var polled = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
    polled += members.map {
      pollfd(fd: $0.worker.channel.descriptor, events: Int16(POLLIN), revents: 0)
    }
    let milliseconds = ends.min().map { Int32(clamping: Self.milliseconds(now.duration(to: $0))) }
    let count = unsafe poll(&polled, nfds_t(polled.count), milliseconds ?? -1)
    var done: [(job: Int, outcome: Outcome)] = []
    if count > 0 {
      if polled[0].revents != 0 { wakeUp.clear() }
      for (member, polled) in zip(members, polled.dropFirst()) where polled.revents != 0 {
        try receive(from: member, &done)
      }
      isClogged = isClogged && done.isEmpty
    }
    try look(at: .now, canGrow: canGrow)
    return done
  }

  /// Rounds up, so that what is waited for is over then.
  private static func milliseconds(_ duration: Duration) -> Int {
    Int(max(.zero, duration) / .milliseconds(1)) + 1
  }

  private func receive(
    from member: Member, _ done: inout [(job: Int, outcome: Outcome)]
  ) throws(WorkerError) {
    let event: WorkerEvent?
    do {
      event = try member.worker.receive(into: &buffer, waits: false)
    } catch {
      return fail(member, .malformedReply)
    }
    switch event {
    case nil: break
    case .ready(_, let sandbox): try supply.note(sandbox)
    case .replies(let replies):
      guard member.failure == nil else { return }
      guard let jobs = member.messages.first, jobs.count == replies.count,
        let parsed = try? replies.map(parse)
      else { return fail(member, .malformedReply) }
      member.worker.accept()
      member.messages.removeFirst()
      done += zip(jobs, parsed).map { ($0, .reply($1)) }
      if member.imageCount >= Worker.imageLimit, member.messages.isEmpty { remove(member) }
    case .ended(let status):
      let failure = WorkerFailure(exitStatus: status)
      if member.worker.process == nil { try supply.noteUnready(signal: status & 0x7f) }
      bury(member, member.failure ?? failure, &done)
    case .notStarted(let error):
      remove(member)
      done += member.messages.joined().map { ($0, .lost) }
      guard !members.isEmpty else { throw .system(error) }
      target = members.count
    }
  }

  /// Shares out the jobs of a worker that has ended: one is to blame.
  private func bury(
    _ member: Member, _ failure: WorkerFailure, _ done: inout [(job: Int, outcome: Outcome)]
  ) {
    remove(member)
    // A hijacked worker can blame another image of its own message, and no one else's.
    let index = member.worker.currentIndex
    let blamed = member.messages.first.map { $0.indices.contains(index) ? $0[index] : $0[0] }
    for job in member.messages.joined() {
      done.append((job, job == blamed ? .failed(failure) : .lost))
    }
  }

  private func remove(_ member: Member) {
    members.removeAll { $0 === member }
  }

  private func fail(_ member: Member, _ failure: WorkerFailure) {
    guard member.failure == nil else { return }
    member.failure = failure
    member.worker.terminate()
  }

  /// Kills what is overdue, and lets the fleet grow where processors are idle.
  private func look(at now: ContinuousClock.Instant, canGrow: Bool) throws(WorkerError) {
    if now - lastWatch >= Self.watchInterval {
      lastWatch = now
      for member in members where !member.messages.isEmpty {
        if let failure = member.worker.overdue(deadlines, at: now) { fail(member, failure) }
      }
    }
    guard now - lastGrowth >= Self.growthInterval else { return }
    let passed = lastGrowth.duration(to: now)
    lastGrowth = now
    guard canGrow else { return }
    var used: UInt64 = 0
    for member in members {
      let time = member.worker.processorTime
      used += time - min(time, member.time)
      member.time = time
    }
    let share = Double(used) / (passed / .nanoseconds(1) * Double(min(size.usual, members.count)))
    if share < Self.idleShare { target = min(size.most, 2 * target) }
  }
}
