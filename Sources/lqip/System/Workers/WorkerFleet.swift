private final class FleetMember {
  let worker: Worker
  /// The jobs of the unanswered requests, oldest first.
  var jobs: [Int] = []
  /// The worker's CPU time in nanoseconds at the last check for idle processors.
  var processorTime: UInt64 = 0

  init(_ worker: Worker) {
    self.worker = worker
  }
}

/// Distributes images to many workers, and collects the replies.
///
/// Each worker has a queue of requests, so that it need not wait for the next one. Without the queues, a batch of small
/// images is 16 % slower (5,370 instead of 6,375 images/s on two cores).
///
/// Only one thread may use it at a time.
package final class WorkerFleet {
  /// A job without a reply.
  ///
  /// The failure is `nil` if another image may have caused it, or no worker could be started. Such a job can be retried.
  package typealias Unanswered = (job: Int, failure: WorkerFailure?)

  /// The interval between checks of busy workers.
  private static let watchInterval = Duration.milliseconds(50)
  /// The interval at which the fleet grows while images are waiting and processors are idle.
  private static let growthInterval = Duration.milliseconds(10)
  /// The interval between checks of idle workers.
  private static let idleInterval = Duration.seconds(1)
  /// The maximum number of requests that wait in a busy worker.
  private static let queueLimit = 15
  /// The maximum number of small images in a row for one worker, and the size of a small image in bytes.
  ///
  /// A request to an idle worker wakes it; without bursts, tiny images take 10% more CPU time.
  private static let burstLimit = 8
  private static let burstByteCount = 8 << 10
  /// The time during which replies are collected while every worker has a queue; most queues take longer to decode.
  private static let collectionTime = Duration.microseconds(500)
  /// The CPU utilization, 0...1, below which the processors count as idle.
  private static let idleUtilization = 0.75

  private let supply: WorkerSupply
  /// The maximum number of workers while the processors are busy.
  private let baseCount: Int
  private let deadlines: WorkerDeadlines
  private let wakeUp: WakeUp
  private var members: [FleetMember] = []
  /// The current limit on the number of workers.
  ///
  /// It is initially `baseCount`, doubles while processors are idle, and is lowered if the system refuses to start a
  /// process.
  private var target: Int
  /// The jobs that failed on a worker that an earlier image may have compromised.
  ///
  /// Each is the first job of its next worker, so that a second failure is its own.
  private var suspects: Set<Int> = []
  private var lastWatch = MonotonicTime.now
  private var lastGrowth = MonotonicTime.now
  /// Whether the system rejected a message because too many descriptors were in flight; reset when a job finishes.
  private var isDescriptorLimitReached = false
  /// The worker of the last small image, and the number of those that it has received in a row.
  private var burst: (member: FleetMember, count: Int)?
  /// The jobs that `wait` returns next.
  private var unanswered: [Unanswered] = []

  /// Creates a fleet that starts workers on demand; other threads can end a wait through `wakeUp`.
  ///
  /// There are at most `baseCount` workers while the processors are busy, and at most as many as the supply allows while
  /// the workers wait for reads.
  package init(
    _ supply: WorkerSupply, baseCount: Int, _ deadlines: WorkerDeadlines, wakeUp: WakeUp
  ) {
    self.supply = supply
    self.baseCount = min(baseCount, supply.limit)
    self.deadlines = deadlines
    self.wakeUp = wakeUp
    target = self.baseCount
  }

  /// The number of jobs that have no result yet.
  package var pendingCount: Int { unanswered.count + sentCount }

  /// The number of jobs that workers have not answered.
  private var sentCount: Int { members.reduce(0) { $0 + $1.jobs.count } }

  /// Returns whether a worker can accept another image.
  ///
  /// - Parameter waitingCount: The number of waiting images. A busy worker queues requests only if each worker has a
  ///   waiting image.
  /// - Returns: Whether `add` may accept the next job.
  package func hasRoom(for waitingCount: Int) -> Bool {
    guard !isDescriptorLimitReached else { return false }
    return members.count < target || vacantMember(for: waitingCount) != nil
  }

  /// Adds a job for an image in an open file, which the fleet closes if a worker accepts the job.
  ///
  /// `job` is the caller's number for the job. `waitingCount` includes this image.
  ///
  /// - Returns: Whether a worker accepted the job.
  package func add(
    _ job: Int, _ request: [UInt8], file: Int32, byteCount: Int, of waitingCount: Int
  ) throws(WorkerError) -> Bool {
    let isSmall = byteCount <= Self.burstByteCount
    guard let member = try member(for: job, isSmall: isSmall, waitingCount) else { return false }
    let isAccepted = try add(job, to: member) { worker throws(SystemError) in
      try worker.send(request, file: file)
    }
    if isAccepted { close(file) }
    return isAccepted
  }

  /// Returns the worker for an image in a file; `nil` if all are busy.
  private func member(
    for job: Int, isSmall: Bool, _ waitingCount: Int
  ) throws(WorkerError) -> FleetMember? {
    let isSuspect = suspects.contains(job)
    // Longer bursts would leave workers idle at the end.
    let limit = min(Self.burstLimit, waitingCount / (2 * target))
    if isSmall, !isSuspect, let (member, count) = burst, count < limit, !member.jobs.isEmpty,
      member.jobs.count <= Self.queueLimit, member.worker.sentCount < Worker.imageLimit
    {
      burst = (member, count + 1)
      return member
    }
    let member = try idleMember(for: job) ?? (isSuspect ? nil : vacantMember(for: waitingCount))
    burst = isSmall ? member.map { ($0, 1) } : nil
    return member
  }

  /// Adds a job for an image in memory, if a worker is idle or can be started.
  ///
  /// The slot of a worker holds only one image at a time.
  ///
  /// - Returns: Whether a worker accepted the job.
  package func add(
    _ job: Int, _ request: [UInt8], _ bytes: Span<UInt8>
  ) throws(WorkerError) -> Bool {
    guard let member = try idleMember(for: job) else { return false }
    return try add(job, to: member) { worker throws(SystemError) in
      try worker.send(request, bytes)
    }
  }

  private func add(
    _ job: Int, to member: FleetMember, _ send: (Worker) throws(SystemError) -> Void
  ) throws(WorkerError) -> Bool {
    do throws(SystemError) {
      try send(member.worker)
    } catch {
      switch error.number {
      // Too many descriptors are in flight. The job can be added after workers have received some of them.
      case ETOOMANYREFS where sentCount > 0: isDescriptorLimitReached = true
      case EAGAIN: remove(member, .unreceptive)
      // The worker has just ended. `wait` returns its jobs when the channel reports the end.
      case EPIPE, ECONNRESET, ENOTCONN: break
      default: throw .system(error)
      }
      return false
    }
    member.jobs.append(job)
    return true
  }

  /// Returns an idle worker, otherwise a new one; `nil` if all workers are busy and no other can be started.
  ///
  /// A suspect gets a worker that has not decoded any image.
  private func idleMember(for job: Int) throws(WorkerError) -> FleetMember? {
    while let idle = vacantMember(for: 0) {
      let failure = idle.worker.idleFailure
      if failure == nil, idle.worker.isUnused || !suspects.contains(job) { return idle }
      remove(idle, failure)
    }
    guard members.count < target else { return nil }
    do throws(WorkerError) {
      let member = FleetMember(try supply.start())
      members.append(member)
      return member
    } catch {
      // At the system's process limit, continue with the running workers.
      guard !members.isEmpty else { throw error }
      target = members.count
      return nil
    }
  }

  /// Returns the worker with the fewest unanswered requests, if it can accept another request.
  ///
  /// An idle worker always accepts a request. A busy worker queues at most `queueLimit` requests, and near the end of the
  /// batch at most its share of the waiting images, so that the workers finish at about the same time.
  private func vacantMember(for waitingCount: Int) -> FleetMember? {
    let depth = min(Self.queueLimit, waitingCount / max(1, members.count))
    var vacant: FleetMember?
    for member in members where member.worker.sentCount < Worker.imageLimit {
      let count = member.jobs.count
      if count <= depth, count < vacant?.jobs.count ?? .max { vacant = member }
    }
    return vacant
  }

  /// Waits until jobs finish, another thread wakes this one, the deadline passes, or the workers need a check.
  ///
  /// `accept` receives a job and its untrusted reply. If it throws an error, the fleet replaces the worker.
  ///
  /// - Returns: The jobs that will have no reply.
  package func wait(
    until deadline: MonotonicTime?, waitingCount: Int,
    _ accept: (_ job: Int, _ reply: [UInt8]) throws(MalformedMessage) -> Void
  ) throws(WorkerError) -> [Unanswered] {
    let now = MonotonicTime.now
    let canGrow = waitingCount > 0 && target < supply.limit && members.count == target
    let interval = sentCount > 0 ? Self.watchInterval : Self.idleInterval
    let ends = [
      deadline, unanswered.isEmpty ? nil : now,
      canGrow ? max(now, lastGrowth + Self.growthInterval) : nil,
      members.isEmpty ? nil : max(now, lastWatch + interval),
    ].compactMap(\.self)
    let descriptors = [wakeUp.descriptor] + members.map(\.worker.channel.descriptor)
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Round up, so that the wait does not end early.
    let milliseconds = ends.min().map {
      Int32(clamping: Int(max(.zero, $0 - now) / .milliseconds(1)) + 1)
    }
    // Waking up for every reply would cost more than handling it.
    if !members.isEmpty, members.allSatisfy({ $0.jobs.count >= Self.queueLimit }) {
      SystemThread.sleep(for: Self.collectionTime)
    }
    let count = unsafe poll(&polled, nfds_t(polled.count), milliseconds ?? -1)
    if count > 0 {
      if polled[0].revents != 0 { wakeUp.clear() }
      for (member, polled) in zip(members, polled.dropFirst()) where polled.revents != 0 {
        while try receive(from: member, accept) {}
      }
    }
    checkMembers(at: .now)
    growIfIdle(at: .now, canGrow: canGrow)
    defer { unanswered = [] }
    return unanswered
  }

  /// Handles a worker's next event, if any; returns whether another reply may follow.
  private func receive(
    from member: FleetMember, _ accept: (Int, [UInt8]) throws(MalformedMessage) -> Void
  ) throws(WorkerError) -> Bool {
    let event: WorkerEvent?
    do throws(MalformedMessage) {
      event = try member.worker.receive()
      if case .reply(_, let reply)? = event { try accept(member.jobs[0], reply) }
    } catch {
      remove(member, .malformedReply)
      return false
    }
    switch event {
    case nil: return false
    case .ready(_, let sandbox): try supply.noteReady(sandbox)
    case .reply:
      member.worker.markAnswered()
      suspects.remove(member.jobs.removeFirst())
      isDescriptorLimitReached = false
      let isSpent = member.worker.sentCount >= Worker.imageLimit
      if isSpent, member.jobs.isEmpty { remove(member, nil) }
    case .ended(let status):
      let isReady = member.worker.process != nil
      if !isReady { try supply.noteUnready(signal: status & 0x7f) }
      remove(member, isReady ? WorkerFailure(exitStatus: status) : nil)
      return false
    case .notStarted(let error):
      remove(member, nil)
      guard !members.isEmpty else { throw .system(error) }
      target = members.count
      return false
    }
    return !member.jobs.isEmpty
  }

  /// Removes a worker, which is then killed, and adds its jobs to `unanswered`.
  ///
  /// The failure belongs to the oldest job if the worker has not decoded another image before.
  private func remove(_ member: FleetMember, _ failure: WorkerFailure?) {
    members.removeAll { $0 === member }
    burst = nil
    isDescriptorLimitReached = false
    unanswered += member.jobs.map { ($0, nil) }
    guard let failure else { return }
    if member.worker.isUnused, let first = member.jobs.first {
      suspects.remove(first)
      unanswered[unanswered.count - member.jobs.count].failure = failure
    } else {
      if let first = member.jobs.first { suspects.insert(first) }
      supply.report(.replaced(failure))
    }
  }

  /// Removes the workers whose oldest request has exceeded a time limit, and those that work without a request.
  private func checkMembers(at now: MonotonicTime) {
    guard now - lastWatch >= Self.watchInterval else { return }
    lastWatch = now
    for member in members {
      let failure =
        member.jobs.isEmpty
        ? member.worker.idleFailure : member.worker.exceededLimit(deadlines, at: now)
      if let failure { remove(member, failure) }
    }
  }

  /// Raises `target` if `canGrow` is true and processors are idle.
  private func growIfIdle(at now: MonotonicTime, canGrow: Bool) {
    let elapsed = now - lastGrowth
    guard elapsed >= Self.growthInterval else { return }
    lastGrowth = now
    guard canGrow else { return }
    var used: UInt64 = 0
    for member in members {
      let time = member.worker.processorTime
      used += time - min(time, member.processorTime)
      member.processorTime = time
    }
    let available: Double = elapsed / .nanoseconds(1) * Double(min(baseCount, members.count))
    if Double(used) / available < Self.idleUtilization { target = min(supply.limit, 2 * target) }
  }
}
