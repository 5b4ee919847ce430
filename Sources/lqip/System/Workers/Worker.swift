import CLqipProcess

/// The reason that a worker sent no valid reply.
package enum WorkerFailure: Error, Hashable, Sendable {
  /// A signal such as SIGSEGV killed the process; SIGSYS indicates a forbidden system call.
  case crashed(signal: Int32)
  /// The process exited before it replied.
  case exited(status: Int32)
  /// The reply violated the message format.
  case malformedReply
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
    case .crashed(let signal): "the decoder crashed (signal \(signal))"
    case .exited(let status): "the decoder exited with status \(status)"
    case .malformedReply: "the decoder sent a malformed reply"
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
    case .timedOut: "timeout"
    case .stalled: "stalled"
    case .cancelled: "cancelled"
    case .unavailable: "unavailable"
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
/// Only one thread may use it at a time. Messages are answered in order.
final class Worker {
  /// The number of images after which a worker is replaced, to bound memory leaks in codecs.
  static let imageLimit = 20_000

  /// The process that forked the worker.
  ///
  /// The system may reuse a worker's process ID after the worker is reaped. Only the zygote knows whether this has
  /// happened, so only the zygote can kill the worker safely.
  private let zygote: Zygote
  private let number: UInt32
  let channel: WorkerChannel
  private let slot: WorkerSlot
  /// The process ID; `nil` until the worker is ready.
  private(set) var process: pid_t?
  private(set) var sentCount: UInt32 = 0
  private(set) var answeredCount: UInt32 = 0
  private var watch = WorkerWatch(at: .now, processorTime: 0)
  /// The image that `watch` measures.
  private var watched = WorkerProgress(message: 0, index: 0)
  /// The size in bytes of the image in shared memory; 0 without an image.
  private var inputCount = 0

  /// Requests a worker from a zygote.
  init(_ number: UInt32, of zygote: Zygote) throws(SystemError) {
    let (near, far) = try WorkerChannel.pair()
    slot = try zygote.slots.allocate()
    channel = near
    (self.zygote, self.number) = (zygote, number)
    // After an error, `deinit` releases the slot.
    try zygote.start(number, far, slotIndex: slot.index)
  }

  /// Kills the worker, because the next worker in the same slot receives other images through the same memory.
  ///
  /// A compromised worker can report that it has ended while it is still running.
  deinit {
    zygote.kill(number)
    zygote.slots.release(slot)
  }

  /// The number of unanswered messages.
  var pendingCount: Int { Int(sentCount - answeredCount) }

  func write(_ bytes: Span<UInt8>) {
    slot.write(bytes)
    inputCount = bytes.count
  }

  func send(_ message: [UInt8], _ descriptors: [Int32]) throws(SystemError) {
    try channel.send(message, descriptors)
    sentCount += 1
  }

  /// Receives the next event from the worker or the zygote; returns `nil` if none has arrived and `waits` is false.
  ///
  /// If the channel closes and the exit status is unknown, the event is ``WorkerEvent/ended(_:)`` with SIGKILL.
  func receive(waits: Bool) throws(MalformedMessage) -> WorkerEvent? {
    let message: WorkerChannel.Message
    do throws(SystemError) {
      do throws(SystemError) {
        message = try channel.receive(waits: waits)
      } catch {
        // If the worker exited with unread requests, the first call fails and the second returns pending messages.
        guard error.number == ECONNRESET else { throw error }
        message = try channel.receive(waits: waits)
      }
    } catch {
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
    case .replies: guard pendingCount > 0 else { throw MalformedMessage() }
    case .notStarted: guard process == nil else { throw MalformedMessage() }
    case .ended: break
    }
    return event
  }

  /// Whether the worker has started to process the first unanswered message.
  var hasStarted: Bool { slot.progress.message == answeredCount + 1 }

  func markAnswered() {
    answeredCount += 1
    slot.releaseInput(inputCount)
    inputCount = 0
  }

  /// The index of the current image in the first unanswered message; untrusted.
  var currentIndex: Int {
    hasStarted ? slot.progress.index : 0
  }

  /// The CPU time used by the worker in nanoseconds; 0 if unknown.
  var processorTime: UInt64 { process.map { lqip_cpu_time($0) } ?? 0 }

  /// Checks the time limits of the current image like ``WorkerWatch/exceededLimit(_:processorTime:at:)``.
  func exceededLimit(_ deadlines: WorkerDeadlines, at now: MonotonicTime) -> WorkerFailure? {
    let progress = WorkerProgress(message: answeredCount + 1, index: currentIndex)
    if progress != watched {
      watched = progress
      watch = WorkerWatch(at: now, processorTime: processorTime)
    }
    return watch.exceededLimit(deadlines, processorTime: processorTime, at: now)
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
