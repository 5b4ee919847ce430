import CLqipProcess

/// Why a worker gave no reply for an image.
package enum WorkerFailure: Error, Hashable, Sendable {
  /// The process ended by a signal, such as SIGSEGV, or SIGSYS for a call that it must not make.
  case crashed(signal: Int32)
  /// The process ended by itself.
  case exited(status: Int32)
  /// The reply did not follow the format.
  case malformedReply
  /// The image took more of the processor's time, or of the clock's, than it may.
  case timedOut
  /// Nothing of the image could be read for too long.
  case stalled
  /// Whoever asked for it does not want it any more.
  case cancelled
  /// There is no worker.
  case unavailable(WorkerError)
}

extension WorkerFailure: CustomStringConvertible {
  /// One line for people.
  package var description: String {
    switch self {
    case .crashed(SIGSYS): "the decoder made a forbidden system call"
    case .crashed(let signal): "the decoder crashed (signal \(signal))"
    case .exited(let status): "the decoder exited with status \(status)"
    case .malformedReply: "the decoder's reply was malformed"
    case .timedOut: "decoding took too long"
    case .stalled: "reading took too long"
    case .cancelled: "decoding was cancelled"
    case .unavailable(let error): "\(error)"
    }
  }

  /// The failure in one word, for counters.
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

/// How long an image may keep a worker busy.
package struct WorkerDeadlines: Hashable, Sendable {
  /// The processor's time.
  package var work: Duration
  /// How long the worker may wait without using the processor.
  package var stall: Duration
  /// The time on the clock.
  package var wall: Duration

  package init(work: Duration, stall: Duration, wall: Duration) {
    self.work = work
    self.stall = stall
    self.wall = wall
  }
}

/// A worker, as its parent holds it.
///
/// It belongs to one thread at a time.
final class Worker: @unchecked Sendable {
  /// Whoever has forked the process, and so can kill it without hitting another of the same number.
  private enum Parent {
    case zygote(Zygote)
    case this(pid_t)
  }

  /// The number of images after which a worker is replaced, so that what a codec leaks does not add up.
  static let imageLimit = 20_000

  /// Names workers in what is said to the zygote.
  private let number: UInt32
  private let parent: Parent
  let channel: WorkerChannel
  private let memory: WorkerMemory
  /// The process, once it is ready.
  private(set) var process: pid_t?
  private(set) var sandbox: Sandbox?
  /// How many messages were sent, and how many were answered.
  private(set) var sentCount: UInt32 = 0
  private(set) var answeredCount: UInt32 = 0
  private var watch = Watch()
  private var inputCount = 0
  /// Whether a process that this one has forked was waited for.
  private var isReaped = false

  /// What was seen of the image that the worker is at.
  private struct Watch {
    var progress = WorkerMemory.Progress(message: 0, index: 0)
    var start = ContinuousClock.now
    /// The processor's time of the worker when it began, and when it was last seen to use some.
    var startTime: UInt64 = 0
    var lastTime: UInt64 = 0
    var lastChange = ContinuousClock.now
    var lastLook = ContinuousClock.now
  }

  /// Asks a zygote for a worker.
  init(_ number: UInt32, of zygote: Zygote) throws(SystemError) {
    let (near, far) = try WorkerChannel.pair()
    memory = try zygote.board.take()
    try zygote.start(number, far, slot: memory.index)
    self.number = number
    channel = near
    parent = .zygote(zygote)
  }

  /// Forks a worker from this process, for one image.
  ///
  /// - Precondition: This process has one thread.
  init(forking settings: WorkerSettings) throws(SystemError) {
    let (near, far) = try WorkerChannel.pair()
    let board = try WorkerBoard(slotCount: 1, inputCapacity: settings.inputCapacity)
    memory = try board.take()
    let (this, process) = (getpid(), lqip_fork())
    guard process >= 0 else { throw .last }
    if process == 0 {
      for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_IGN) }
      settings.prepare()
      WorkerProcess.run(far.descriptor, memory.index, of: board, parent: this, settings)
    }
    number = 0
    channel = near
    parent = .this(process)
  }

  deinit {
    // A zygote reaps its own workers.
    guard case .this(let process) = parent, !isReaped else { return }
    kill(process, SIGKILL)
    var status: Int32 = 0
    unsafe waitpid(process, &status, 0)
  }

  /// How many messages are not yet answered.
  var pendingCount: Int { Int(sentCount - answeredCount) }

  /// Writes the bytes of an image that has no file.
  func write(_ bytes: Span<UInt8>) {
    memory.write(bytes)
    inputCount = bytes.count
  }

  /// Sends a message of requests.
  func send(
    _ message: [UInt8], _ descriptors: [Int32], waits: Bool = true
  ) throws(SystemError) {
    try channel.send(message, descriptors, waits: waits)
    sentCount += 1
  }

  /// Receives what the worker, or the zygote in its place, has to say.
  ///
  /// - Parameters:
  ///   - buffer: Room for a message.
  ///   - waits: Whether to wait for one.
  /// - Returns: The event; nil if there is none yet. A worker that is lost has ended by SIGKILL, as far as
  ///   this process knows.
  /// - Throws: `MalformedMessage` if the worker has written what it should not.
  func receive(into buffer: inout [UInt8], waits: Bool) throws(MalformedMessage) -> WorkerEvent? {
    var descriptors: [Int32] = []
    var count = 0
    do throws(SystemError) {
      do throws(SystemError) {
        count = try channel.receive(into: &buffer, &descriptors, waits: waits)
      } catch {
        // It ended with requests unread, which comes before what it has said.
        guard error.number == ECONNRESET else { throw error }
        count = try channel.receive(into: &buffer, &descriptors, waits: waits)
      }
    } catch {
      return error == .wouldBlock ? nil : .ended(exitStatus())
    }
    for descriptor in descriptors { close(descriptor) }
    guard count > 0 else { return .ended(exitStatus()) }
    let event = try WorkerEvent.parse(Array(buffer[..<count]))
    switch event {
    case .ready(let process, let sandbox): (self.process, self.sandbox) = (process, sandbox)
    case .replies: guard pendingCount > 0 else { throw MalformedMessage() }
    case .ended, .notStarted: break
    }
    return event
  }

  /// Whether the worker has begun with the first message that is not answered.
  var hasBegun: Bool { memory.progress.message == answeredCount + 1 }

  /// Counts the message that was waited for longest as answered.
  func accept() {
    answeredCount += 1
    memory.release(inputCount)
    inputCount = 0
  }

  /// The index of the image that the worker is at, in the first message that is not answered.
  var currentIndex: Int {
    hasBegun ? memory.progress.index : 0
  }

  /// When the worker began with that image, as far as it was looked at.
  var currentStart: ContinuousClock.Instant {
    watch.progress.message == answeredCount + 1 && watch.progress.index == currentIndex
      ? watch.start : .now
  }

  /// The processor's time that the worker has used, in nanoseconds.
  var processorTime: UInt64 { process.map { lqip_processor_time($0) } ?? 0 }

  /// Looks whether the image that the worker is at has had its time; to be called every now and then while a
  /// message is pending.
  ///
  /// - Parameters:
  ///   - deadlines: The time that it has.
  ///   - now: When this is.
  /// - Returns: Why it has to be killed, or nil.
  func overdue(_ deadlines: WorkerDeadlines, at now: ContinuousClock.Instant) -> WorkerFailure? {
    let progress = WorkerMemory.Progress(message: answeredCount + 1, index: currentIndex)
    let time = processorTime
    let sinceLook = watch.lastLook.duration(to: now)
    watch.lastLook = now
    guard progress == watch.progress else {
      watch = Watch(
        progress: progress, start: now, startTime: time, lastTime: time, lastChange: now,
        lastLook: now)
      return nil
    }
    // While this process is stopped, so are the others of its group: the time does not count.
    if sinceLook > .seconds(1) {
      watch.start += sinceLook
      watch.lastChange += sinceLook
    }
    if time != watch.lastTime { (watch.lastTime, watch.lastChange) = (time, now) }
    if .nanoseconds(Int64(clamping: time - watch.startTime)) >= deadlines.work { return .timedOut }
    if watch.lastChange.duration(to: now) >= deadlines.stall { return .stalled }
    return watch.start.duration(to: now) >= deadlines.wall ? .timedOut : nil
  }

  /// Kills the process, whose end is then reported on its channel.
  func terminate() {
    switch parent {
    case .zygote(let zygote): zygote.kill(number)
    case .this(let process): kill(process, SIGKILL)
    }
  }

  /// How the process ended, where the zygote did not report it.
  private func exitStatus() -> Int32 {
    guard case .this(let process) = parent, !isReaped else { return SIGKILL }
    var status: Int32 = 0
    unsafe waitpid(process, &status, 0)
    isReaped = true
    return status
  }
}

extension WorkerFailure {
  /// The failure of an image whose worker has ended.
  init(exitStatus status: Int32) {
    let signal = status & 0x7f
    self = signal != 0 ? .crashed(signal: signal) : .exited(status: status >> 8 & 0xff)
  }
}
