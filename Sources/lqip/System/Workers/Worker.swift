import CLqipProcess

/// The reason that a worker sent no valid reply.
package enum WorkerFailure: Error, Hashable, Sendable {
  /// A signal such as SIGSEGV killed the process; SIGSYS indicates a forbidden system call.
  case crashed(signal: Int32)
  /// The process exited before it replied.
  case exited(status: Int32)
  /// The worker sent a message that is not a valid reply to its oldest request.
  case malformedReply
  /// The worker did not receive its requests.
  case unreceptive
  /// The worker used CPU time before it received its next request.
  case restless
  /// The image exceeded the CPU time limit or the wall time limit.
  case timedOut
  /// The worker used no CPU time for too long, for example while it waited for a read.
  case stalled
  /// The client disconnected.
  case cancelled
  /// No worker could be started.
  case unavailable(WorkerError)
}

extension WorkerFailure: CustomStringConvertible {
  /// A one-line message for the user.
  package var description: String {
    switch self {
    case .crashed(SIGSYS): "the decoder made a forbidden system call"
    case .crashed(SIGKILL): "the system killed the decoder (signal 9), usually for lack of memory"
    case .crashed(let signal): "the decoder crashed (signal \(signal))"
    case .exited(let status): "the decoder exited with status \(status)"
    case .malformedReply: "the decoder sent a malformed reply"
    case .unreceptive: "the decoder received no requests"
    case .restless: "the decoder used CPU time without a request"
    case .timedOut: "decoding took too long"
    case .stalled: "reading took too long"
    case .cancelled: "decoding was cancelled"
    case .unavailable(let error): "\(error)"
    }
  }

  /// The failure's label in metrics.
  package var code: String {
    switch self {
    case .crashed(SIGSYS): "forbidden_call"
    case .crashed: "crashed"
    case .exited: "exited"
    case .malformedReply: "malformed_reply"
    case .unreceptive: "unreceptive"
    case .restless: "restless"
    case .timedOut: "timeout"
    case .stalled: "stalled"
    case .cancelled: "cancelled"
    case .unavailable: "unavailable"
    }
  }

  /// Whether an image may have taken over the worker.
  package var isSuspicious: Bool {
    switch self {
    case .crashed, .exited, .malformedReply, .unreceptive, .restless: true
    case .timedOut, .stalled, .cancelled, .unavailable: false
    }
  }
}

/// The time limits for one image.
package struct WorkerDeadlines: Hashable, Sendable {
  /// The CPU time limit.
  package var work: Duration
  /// The limit on the time without CPU use, for example during a slow read.
  package var stall: Duration
  /// The wall time limit.
  package var wall: Duration

  package init(work: Duration, stall: Duration, wall: Duration) {
    self.work = work
    self.stall = stall
    self.wall = wall
  }
}

/// The parent's handle on a worker process.
///
/// Only one thread may use it at a time. Requests are answered in order. No method waits for the worker.
final class Worker {
  /// The number of images after which a worker is replaced, to bound memory leaks in codecs.
  static let imageLimit = 20_000
  /// The CPU time in nanoseconds that a worker may use between a reply and receiving the next request; it needs less than
  /// 0.1 ms.
  private static let idleTimeLimit: UInt64 = 20_000_000
  /// The time that a new worker has to become ready.
  static let startTimeout = Duration.seconds(10)

  /// The process that forked the worker.
  ///
  /// The system may reuse a worker's process ID after the worker is reaped. Only the zygote knows whether this has
  /// happened, so only the zygote can kill the worker safely.
  let zygote: Zygote
  private let number: UInt32
  let channel: WorkerChannel
  /// The memory for images; `nil` if the worker only receives files.
  private let slot: WorkerSlot?
  /// The process ID; `nil` until the worker is ready.
  private(set) var process: pid_t?
  /// Unpredictable numbers for the next requests.
  private var numbers: [UInt64] = []
  /// The numbers of the unanswered requests, oldest first.
  private var pending: [UInt64] = []
  private(set) var sentCount = 0
  /// The measurements for the oldest request; `nil` until its first check.
  private var watch: WorkerWatch?
  /// The CPU time in nanoseconds when the worker became ready, or its last reply was accepted.
  private var idleTime: UInt64 = 0

  /// Requests a worker with a slot of `capacity` bytes from a zygote.
  init(_ number: UInt32, of zygote: Zygote, capacity: Int) throws(SystemError) {
    (self.zygote, self.number) = (zygote, number)
    let (near, far) = try WorkerChannel.pair()
    channel = near
    guard capacity > 0 else {
      slot = nil
      try zygote.start(number, far)
      return
    }
    let memory = FileDescriptor(
      owning: try SystemError.check { lqip_create_memory(capacity) })
    slot = try WorkerSlot(mapping: memory.number, capacity: capacity, isWritable: true)
    try zygote.start(number, far, memory: memory.number, capacity: capacity)
  }

  /// Kills the worker.
  ///
  /// A compromised worker can report that it has ended while it is still running.
  deinit { zygote.kill(number) }

  /// The number of unanswered requests.
  var pendingCount: Int { pending.count }

  /// Whether no image can have compromised the worker before the one that it decodes.
  ///
  /// Only then is a failure of the worker certainly caused by that image.
  var isUnused: Bool { sentCount == pending.count }

  /// Sends a request for an image in a file.
  func send(_ request: [UInt8], file: Int32) throws(SystemError) {
    try send(request, memoryCount: nil, [file])
  }

  /// Sends a request for an image in memory; the worker must be idle.
  func send(_ request: [UInt8], _ image: Span<UInt8>) throws(SystemError) {
    precondition(pending.isEmpty)
    slot?.write(image)
    try send(request, memoryCount: image.count, [])
  }

  /// Sends a request; a full socket is an error, because an honest worker has few waiting requests.
  private func send(
    _ request: [UInt8], memoryCount: Int?, _ descriptors: [Int32]
  ) throws(SystemError) {
    // One system call provides many numbers.
    if numbers.isEmpty { numbers = Self.randomNumbers() }
    let request = WorkerRequest(
      number: numbers.removeLast(), memoryCount: memoryCount, bytes: request)
    try channel.send(request.message, descriptors)
    pending.append(request.number)
    sentCount += 1
  }

  private static func randomNumbers() -> [UInt64] {
    var numbers = [UInt64](repeating: 0, count: 32)
    let result = unsafe numbers.withUnsafeMutableBytes {
      unsafe getentropy($0.baseAddress, $0.count)
    }
    precondition(result == 0)
    return numbers
  }

  /// Receives the next event from the worker or the zygote; returns `nil` if none has arrived.
  ///
  /// If the channel closes and the exit status is unknown, the event is ``WorkerEvent/ended(_:)`` with SIGKILL.
  func receive() throws(MalformedMessage) -> WorkerEvent? {
    let message: WorkerChannel.Message
    do throws(SystemError) {
      do throws(SystemError) {
        message = try channel.receive(waits: false)
      } catch {
        // If the worker exited with unread requests, the first call fails and the second returns pending messages.
        guard error.number == ECONNRESET else { throw error }
        message = try channel.receive(waits: false)
      }
    } catch {
      // A message that is too long was received only in part.
      guard error.number != EMSGSIZE else { throw MalformedMessage() }
      return error == .wouldBlock ? nil : .ended(SIGKILL)
    }
    for descriptor in message.descriptors { close(descriptor) }
    guard !message.bytes.isEmpty else { return .ended(SIGKILL) }
    let event = try WorkerEvent.parse(message.bytes)
    switch event {
    case .ready(let process, _):
      // A worker is trusted only until its first image, so a second `ready` event is rejected.
      guard self.process == nil else { throw MalformedMessage() }
      self.process = process
      idleTime = processorTime
      watch = nil
    case .reply(let number, _):
      guard number == pending.first else { throw MalformedMessage() }
    case .notStarted: guard process == nil else { throw MalformedMessage() }
    case .ended: break
    }
    return event
  }

  /// Removes the oldest request after its reply has been accepted.
  func markAnswered() {
    pending.removeFirst()
    watch = nil
    idleTime = processorTime
    if pending.isEmpty { slot?.releaseExcess() }
  }

  /// The failure of an idle worker that works, sends messages or has ended; `nil` if there is none.
  var idleFailure: WorkerFailure? {
    guard pending.isEmpty, process != nil else { return nil }
    do throws(MalformedMessage) {
      if let event = try receive() {
        guard case .ended(let status) = event else { return .malformedReply }
        return WorkerFailure(exitStatus: status)
      }
    } catch {
      return .malformedReply
    }
    return isRestless(processorTime) ? .restless : nil
  }

  private func isRestless(_ time: UInt64) -> Bool {
    time - min(time, idleTime) > Self.idleTimeLimit
  }

  /// The CPU time used by the worker in nanoseconds; 0 if unknown.
  var processorTime: UInt64 { process.map { lqip_cpu_time($0) } ?? 0 }

  /// Checks the time limits of the oldest request like ``WorkerWatch/exceededLimit(_:processorTime:at:)``, and that the
  /// worker has received it before it works.
  func exceededLimit(_ deadlines: WorkerDeadlines, at now: MonotonicTime) -> WorkerFailure? {
    let time = processorTime
    // On a busy machine, a worker may take longer to start than to decode an image.
    let deadlines =
      process == nil
      ? WorkerDeadlines(
        work: Self.startTimeout, stall: Self.startTimeout, wall: Self.startTimeout) : deadlines
    // The worker may have been taken over just before its only request was sent.
    if pending.count == 1, isRestless(time), !lqip_is_received(channel.descriptor) {
      return .restless
    }
    var watch = watch ?? WorkerWatch(at: now, processorTime: time)
    defer { self.watch = watch }
    return watch.exceededLimit(deadlines, processorTime: time, at: now)
  }
}

/// The measurements for the time limits of an image.
struct WorkerWatch {
  private var start: MonotonicTime
  /// The worker's CPU time at `start`, in nanoseconds.
  private let startTime: UInt64
  /// The worker's CPU time at the last check, in nanoseconds.
  private var lastTime: UInt64
  /// The time at which the CPU time last increased.
  private var lastChange: MonotonicTime
  private var lastCheck: MonotonicTime

  /// Starts to measure an image, given the worker's CPU time in nanoseconds.
  init(at now: MonotonicTime, processorTime: UInt64) {
    (start, lastChange, lastCheck) = (now, now, now)
    (startTime, lastTime) = (processorTime, processorTime)
  }

  /// Checks the time limits, given the worker's CPU time in nanoseconds, or 0 if it has ended; after a failure, the caller
  /// must kill the worker.
  ///
  /// Call this method at least once per second. A longer gap is treated as a suspension of the program, which does not
  /// count toward the `stall` and `wall` limits.
  mutating func exceededLimit(
    _ deadlines: WorkerDeadlines, processorTime time: UInt64, at now: MonotonicTime
  ) -> WorkerFailure? {
    let sinceCheck = now - lastCheck
    lastCheck = now
    // This process and its workers were suspended. The suspension does not count.
    if sinceCheck > .seconds(1) {
      start += sinceCheck
      lastChange += sinceCheck
    }
    if time != lastTime { (lastTime, lastChange) = (time, now) }
    let used = time - min(time, startTime)
    if .nanoseconds(Int64(clamping: used)) >= deadlines.work { return .timedOut }
    if now - lastChange >= deadlines.stall { return .stalled }
    return now - start >= deadlines.wall ? .timedOut : nil
  }
}

extension WorkerFailure {
  /// Creates the failure for an image whose worker ended with a `waitpid` status.
  init(exitStatus status: Int32) {
    let signal = status & 0x7f
    self = signal != 0 ? .crashed(signal: signal) : .exited(status: status >> 8 & 0xff)
  }
}
