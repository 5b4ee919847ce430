/// The next message, to which requests are still being added.
private struct FleetDraft {
  var jobs: [Int] = []
  var writer = MessageWriter(capacity: 2048)
  var descriptors: [Int32] = []
  var byteCount = 0
}

private final class FleetMember {
  let worker: Worker
  /// The jobs of each unanswered message, oldest first.
  var messages: [[Int]] = []
  var imageCount = 0
  /// The worker's CPU time in nanoseconds at the last check for idle processors.
  var processorTime: UInt64 = 0

  init(_ worker: Worker) {
    self.worker = worker
  }
}

/// Distributes images to many workers in small groups, and collects the replies.
///
/// Only one thread may use it at a time.
package final class WorkerFleet {
  /// A job without a reply.
  ///
  /// The failure is `nil` if the worker ended during another job or could not be started. Such a job can be retried.
  package typealias Unanswered = (job: Int, failure: WorkerFailure?)

  /// The maximum total size in bytes of the files in a group of two or more.
  ///
  /// A group of this size takes about as long as one typical image.
  private static let groupByteCount = 64 << 10
  /// The interval between checks of busy workers.
  private static let watchInterval = Duration.milliseconds(50)
  /// The interval at which the fleet grows while images are waiting and processors are idle.
  private static let growthInterval = Duration.milliseconds(10)
  /// The maximum number of messages that wait in a busy worker.
  private static let queueLimit = 3
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
  private var draft = FleetDraft()
  private var lastWatch = MonotonicTime.now
  private var lastGrowth = MonotonicTime.now
  /// Whether the system rejected a message because too many descriptors were in flight; reset when jobs finish.
  private var isDescriptorLimitReached = false

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
  package var pendingCount: Int {
    members.reduce(draft.jobs.count) { $0 + $1.messages.reduce(0) { $0 + $1.count } }
  }

  /// Returns whether a worker can accept another image.
  ///
  /// - Parameter waitingCount: The number of waiting images. A busy worker queues messages only if each worker has a
  ///   waiting image.
  /// - Returns: Whether ``add(_:_:file:byteCount:of:)`` may be called.
  package func hasRoom(for waitingCount: Int) -> Bool {
    guard !isDescriptorLimitReached else { return false }
    return !draft.jobs.isEmpty || members.count < target || vacantMember(for: waitingCount) != nil
  }

  /// Adds a job for an image in an open file, which the fleet closes after sending it to a worker.
  ///
  /// `job` is the caller's number for the job. `waitingCount` includes this image.
  ///
  /// - Precondition: ``hasRoom(for:)`` returned true.
  package func add(
    _ job: Int, _ request: [UInt8], file: Int32, byteCount: Int, of waitingCount: Int
  ) throws(WorkerError) {
    if !draft.jobs.isEmpty, draft.byteCount + byteCount > Self.groupByteCount { try flush() }
    WorkerRequest(memoryCount: nil, bytes: request).add(to: &draft.writer)
    draft.jobs.append(job)
    draft.descriptors.append(file)
    draft.byteCount += byteCount
    // Larger groups would leave workers idle at the end.
    let groupSize = max(1, min(WorkerProcess.groupLimit, waitingCount / (2 * target)))
    if draft.jobs.count >= groupSize || draft.byteCount >= Self.groupByteCount { try flush() }
  }

  /// Adds a job for an image in memory, if a worker is idle or can be started.
  ///
  /// The shared memory of a worker holds only one image at a time.
  ///
  /// - Returns: Whether a worker accepted the job.
  package func add(
    _ job: Int, _ request: [UInt8], _ bytes: Span<UInt8>
  ) throws(WorkerError) -> Bool {
    try flush()
    guard let member = try idleMember() else { return false }
    member.worker.write(bytes)
    WorkerRequest(memoryCount: bytes.count, bytes: request).add(to: &draft.writer)
    draft.jobs = [job]
    try send(to: member)
    return true
  }

  /// Sends the draft, if any, to an idle worker, otherwise to the one with the fewest unanswered messages.
  private func flush() throws(WorkerError) {
    guard !draft.jobs.isEmpty else { return }
    let member = try idleMember() ?? members.min { $0.messages.count < $1.messages.count }
    if let member { try send(to: member) }
  }

  private func send(to member: FleetMember) throws(WorkerError) {
    do throws(SystemError) {
      try member.worker.send(draft.writer.bytes, draft.descriptors)
    } catch {
      switch error.number {
      // Too many descriptors are in flight. The draft is sent again after workers have received some of them.
      case ETOOMANYREFS where pendingCount > draft.jobs.count:
        isDescriptorLimitReached = true
        return
      // The worker has just ended. The fleet reports its jobs as failed or lost when the channel reports the end.
      case EPIPE, ECONNRESET, ENOTCONN: break
      default: throw .system(error)
      }
    }
    for descriptor in draft.descriptors { close(descriptor) }
    member.messages.append(draft.jobs)
    member.imageCount += draft.jobs.count
    draft = FleetDraft()
  }

  /// Returns an idle worker, otherwise a new one; `nil` if all workers are busy and no other can be started.
  private func idleMember() throws(WorkerError) -> FleetMember? {
    if let idle = vacantMember(for: 0) { return idle }
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

  /// Returns the worker with the fewest unanswered messages, if it can accept another message.
  ///
  /// An idle worker always accepts a message. A busy worker queues at most `queueLimit` messages, and near the end of the
  /// batch at most its share of the waiting images, so that the workers finish at about the same time.
  private func vacantMember(for waitingCount: Int) -> FleetMember? {
    let depth = min(Self.queueLimit, waitingCount / max(1, members.count))
    var vacant: FleetMember?
    for member in members where member.imageCount < Worker.imageLimit {
      let count = member.messages.count
      if count <= depth, count < vacant?.messages.count ?? .max { vacant = member }
    }
    return vacant
  }

  /// Waits until jobs finish, another thread wakes this one, the deadline passes, or the workers need a check.
  ///
  /// `accept` receives the untrusted replies of one message, and their jobs. If it throws an error, the fleet replaces
  /// the worker. Returns the jobs that will have no reply.
  package func wait(
    until deadline: MonotonicTime?, waitingCount: Int,
    _ accept: (_ jobs: [Int], _ replies: [[UInt8]]) throws(MalformedMessage) -> Void
  ) throws(WorkerError) -> [Unanswered] {
    try flush()
    let now = MonotonicTime.now
    let canGrow = waitingCount > 0 && target < supply.limit && members.count == target
    let isBusy = members.contains { !$0.messages.isEmpty }
    let ends = [
      deadline, canGrow ? max(now, lastGrowth + Self.growthInterval) : nil,
      isBusy ? max(now, lastWatch + Self.watchInterval) : nil,
    ].compactMap(\.self)
    let descriptors = [wakeUp.descriptor] + members.map(\.worker.channel.descriptor)
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Round up, so that the wait does not end early.
    let milliseconds = ends.min().map {
      Int32(clamping: Int(max(.zero, $0 - now) / .milliseconds(1)) + 1)
    }
    // Waking up for every reply would cost more than handling it.
    if !members.isEmpty, members.allSatisfy({ $0.messages.count >= Self.queueLimit }) {
      SystemThread.sleep(for: Self.collectionTime)
    }
    let count = unsafe poll(&polled, nfds_t(polled.count), milliseconds ?? -1)
    var unanswered: [Unanswered] = []
    if count > 0 {
      if polled[0].revents != 0 { wakeUp.clear() }
      for (member, polled) in zip(members, polled.dropFirst()) where polled.revents != 0 {
        while try receive(from: member, &unanswered, accept) {}
      }
    }
    unanswered += endOverdueWorkers(at: .now)
    growIfIdle(at: .now, canGrow: canGrow)
    return unanswered
  }

  /// Handles a worker's next event, if any; returns whether another reply may follow.
  private func receive(
    from member: FleetMember, _ unanswered: inout [Unanswered],
    _ accept: ([Int], [[UInt8]]) throws(MalformedMessage) -> Void
  ) throws(WorkerError) -> Bool {
    let event: WorkerEvent?
    do throws(MalformedMessage) {
      event = try member.worker.receive(waits: false)
      if case .replies(let replies)? = event {
        guard let jobs = member.messages.first, jobs.count == replies.count else {
          throw MalformedMessage()
        }
        try accept(jobs, replies)
      }
    } catch {
      unanswered += remove(member, .malformedReply)
      return false
    }
    switch event {
    case nil: return false
    case .ready(_, let sandbox): try supply.noteReady(sandbox)
    case .replies:
      member.worker.markAnswered()
      member.messages.removeFirst()
      isDescriptorLimitReached = false
      if member.imageCount >= Worker.imageLimit, member.messages.isEmpty {
        _ = remove(member, nil)
      }
    case .ended(let status):
      if member.worker.process == nil { try supply.noteUnready(signal: status & 0x7f) }
      unanswered += remove(member, WorkerFailure(exitStatus: status))
      return false
    case .notStarted(let error):
      unanswered += remove(member, nil)
      guard !members.isEmpty else { throw .system(error) }
      target = members.count
      return false
    }
    return !member.messages.isEmpty
  }

  /// Removes a worker, which is then killed, and returns its jobs; the one that it was working on has the failure.
  private func remove(_ member: FleetMember, _ failure: WorkerFailure?) -> [Unanswered] {
    members.removeAll { $0 === member }
    isDescriptorLimitReached = false
    // A compromised worker can forge the index to blame another image, but only one in the same message.
    let index = member.worker.currentIndex
    let blamed = member.messages.first.map { $0.indices.contains(index) ? $0[index] : $0[0] }
    return member.messages.joined().map { ($0, $0 == blamed ? failure : nil) }
  }

  /// Removes the workers whose image has exceeded a time limit, and returns their jobs.
  private func endOverdueWorkers(at now: MonotonicTime) -> [Unanswered] {
    guard now - lastWatch >= Self.watchInterval else { return [] }
    lastWatch = now
    return members.filter { !$0.messages.isEmpty }.flatMap { member in
      member.worker.exceededLimit(deadlines, at: now).map { remove(member, $0) } ?? []
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
