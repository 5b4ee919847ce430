import CLqipProcess

/// A single-threaded process that forks workers for this process.
///
/// The zygote and its workers end when this process ends.
final class Zygote: Sendable {
  /// The time that a busy zygote has to receive a command, or to end.
  private static let patience = Duration.seconds(5)

  private let channel: WorkerChannel
  private let process: pid_t

  /// Forks the zygote, which has the same address layout as this process.
  ///
  /// - Precondition: The process is single-threaded and has read no secret. Otherwise, workers would inherit held locks,
  ///   tokens or open files.
  /// - Throws: The system's error if the process or its socket cannot be created.
  init(forking settings: WorkerSettings) throws(SystemError) {
    let (near, far) = try WorkerChannel.pair()
    let parent = getpid()
    process = try SystemError.check { lqip_fork() }
    guard process > 0 else { ZygoteProcess.run(far.descriptor, parent: parent, settings) }
    channel = near
  }

  /// Executes the zygote as a new process, which has an address layout of its own.
  ///
  /// - Throws: The system's error if the process or its socket cannot be created; `ENOENT` without `/proc`.
  init(executing settings: WorkerSettings) throws(SystemError) {
    let (near, far) = try WorkerChannel.pair()
    process = try SystemError.check {
      unsafe lqip_spawn(
        WorkerSettings.command, settings.sandbox.rawValue, "\(settings.memoryLimit)",
        far.descriptor)
    }
    channel = near
  }

  deinit {
    // The zygote kills its workers and ends.
    shutdown(channel.descriptor, Int32(SHUT_WR))
    _ = waitForEnd(within: Self.patience)
    endProcess(process)
    var status: Int32 = 0
    unsafe waitpid(process, &status, 0)
  }

  /// Waits for the end of the zygote; returns whether it has ended in time.
  func waitForEnd(within time: Duration) -> Bool {
    // The zygote sends no messages.
    (try? FileDescriptor.waitForInput(channel.descriptor, until: .now + time)) ?? true
  }

  /// Requests a worker, which uses `channel` as its end of the connection, and `memory` of `capacity` bytes as its slot.
  ///
  /// The other end then receives `WorkerEvent.ready` or `WorkerEvent.notStarted`.
  func start(
    _ number: UInt32, _ channel: WorkerChannel, memory: Int32? = nil, capacity: Int = 0
  ) throws(SystemError) {
    let descriptors = [channel.descriptor] + (memory.map { [$0] } ?? [])
    try send(number, capacity, descriptors)
  }

  /// Kills a worker; does nothing if it has already ended.
  func kill(_ number: UInt32) {
    // An error means that the zygote has ended, and with it all workers.
    try? send(number)
  }

  /// Sends a command: with a channel, it starts a worker; without one, it kills a worker.
  private func send(
    _ number: UInt32, _ capacity: Int = 0, _ descriptors: [Int32] = []
  ) throws(SystemError) {
    var writer = MessageWriter()
    writer.add(number)
    writer.add(UInt64(capacity))
    try channel.send(writer.bytes, descriptors, within: .limited(Self.patience))
  }
}

/// Kills a child process; the method of the zygote hides the function of the C library.
private func endProcess(_ process: pid_t) { kill(process, SIGKILL) }

/// The loop of the zygote process, which forks, kills and reaps workers.
enum ZygoteProcess {
  /// The kill order of the zygote: after its workers, but before the program.
  private static let zygoteKillOrder: Int32 = 900

  private struct Child {
    let number: UInt32
    /// The worker's end of its channel, on which the zygote reports the exit status.
    let channel: WorkerChannel
  }

  static func run(
    _ socket: Int32, parent: pid_t, _ settings: WorkerSettings
  ) -> Never {
    // A terminal or a supervisor may signal the entire process group, but only the parent handles these signals.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_IGN) }
    // `lqip_wait_for_socket_or_child` requires that SIGCHLD has a handler and is blocked.
    signal(SIGCHLD) { _ in }
    var children = sigset_t()
    unsafe sigemptyset(&children)
    unsafe sigaddset(&children, SIGCHLD)
    unsafe sigprocmask(SIG_SETMASK, &children, nil)
    dup2(socket, 0)
    close(1)
    lqip_close_from(settings.sandbox == .off ? 3 : 1)
    guard lqip_die_with(parent) else { _exit(0) }
    lqip_mark_child(zygoteKillOrder)
    settings.prepare(nil)
    serve(WorkerChannel(owning: 0), settings)
  }

  private static func serve(_ channel: WorkerChannel, _ settings: WorkerSettings) -> Never {
    var children: [pid_t: Child] = [:]
    while true {
      lqip_wait_for_socket_or_child(channel.descriptor)
      reap(&children)
      do throws(SystemError) {
        let message = try channel.receive(upTo: 64, waits: false)
        guard !message.bytes.isEmpty else { end(children) }
        var reader = MessageReader(message.bytes)
        guard let number = try? reader.integer(UInt32.self),
          let capacity = try? reader.integer(UInt64.self)
        else { end(children) }
        if let descriptor = message.descriptors.first {
          let channel = WorkerChannel(owning: descriptor)
          let memory = message.descriptors.dropFirst().first
          fork(number, channel, memory: memory, Int(capacity), settings, &children)
          if let memory { close(memory) }
        } else if let child = children.first(where: { $0.value.number == number }) {
          endProcess(child.key)
        }
      } catch {
        guard error == .wouldBlock else { end(children) }
      }
    }
  }

  private static func fork(
    _ number: UInt32, _ channel: WorkerChannel, memory: Int32?, _ capacity: Int,
    _ settings: WorkerSettings, _ children: inout [pid_t: Child]
  ) {
    let zygote = getpid()
    let process = lqip_fork()
    switch process {
    case -1:
      // The first message always fits into the channel. An error means that the parent has closed its end.
      try? channel.send(WorkerEvent.notStarted(.last).bytes)
    case 0:
      WorkerProcess.run(
        channel.descriptor, memory: memory, capacity: capacity, parent: zygote, settings)
    default: children[process] = Child(number: number, channel: channel)
    }
  }

  private static func reap(_ children: inout [pid_t: Child]) {
    var status: Int32 = 0
    while case let process = unsafe waitpid(-1, &status, WNOHANG), process > 0 {
      // An error means that the parent has closed its end.
      try? children.removeValue(forKey: process)?.channel.send(
        WorkerEvent.ended(status).bytes)
    }
  }

  private static func end(_ children: [pid_t: Child]) -> Never {
    children.keys.forEach(endProcess)
    // Reap the workers, so that none outlives the zygote and the program's CPU time includes theirs.
    while waitpid(-1, nil, 0) > 0 {}
    _exit(0)
  }
}
