import CLqipProcess

/// The location of an image in a worker.
@safe package enum WorkerInput {
  /// The descriptor of an open file.
  case file(Int32)
  /// Shared memory, which the parent does not change before the reply.
  case memory(UnsafeRawBufferPointer)

  /// Reads at most `count` bytes from the start of the image.
  package func beginning(upTo count: Int) throws(SystemError) -> [UInt8] {
    switch self {
    case .file(let descriptor): try FileDescriptor.read(descriptor, at: 0, upTo: count)
    case .memory(let bytes): unsafe Array(bytes.prefix(count))
    }
  }
}

/// The settings and functions of all workers, fixed when the zygote is forked.
package struct WorkerSettings: Sendable {
  /// Processes a request and its image; returns the encoded reply, at most ``replyLimit`` bytes.
  package typealias Handler = @Sendable (_ request: [UInt8], WorkerInput) -> [UInt8]

  /// The command that makes this program a zygote, followed by the sandbox mode and the memory limit.
  package static let command = "zygote"

  /// The requested protections.
  package var sandbox: Sandbox.Mode
  /// The maximum private memory of a worker in bytes.
  package var memoryLimit: Int
  /// The maximum number of concurrent workers.
  package var workerLimit: Int
  /// The maximum size in bytes of an image that is sent in shared memory.
  package var inputCapacity: Int
  /// Whether the zygote is executed anew, with an address layout of its own, instead of forked.
  package var isExecuted = false
  /// Loads libraries and computes tables for any image, or for a worker's only image; called before the sandbox is
  /// entered.
  package var prepare: @Sendable (_ onlyImage: WorkerInput?) -> Void
  package var handle: Handler

  /// The memory in bytes that a worker needs besides the image: program data, pixel rows, the grid and color tables.
  package static let baseMemory = 64 << 20
  /// The maximum size of a reply in bytes.
  package static let replyLimit = 15 << 10

  package init(
    sandbox: Sandbox.Mode, memoryLimit: Int, workerLimit: Int, inputCapacity: Int,
    prepare: @escaping @Sendable (WorkerInput?) -> Void, handle: @escaping Handler
  ) {
    self.sandbox = sandbox
    self.memoryLimit = memoryLimit
    self.workerLimit = workerLimit
    self.inputCapacity = inputCapacity
    self.prepare = prepare
    self.handle = handle
  }
}

extension WorkerSettings {
  /// Makes this process a zygote that has been executed by its parent, with the channel as standard input.
  package func runZygote() -> Never {
    ZygoteProcess.run(STDIN_FILENO, parent: getppid(), self)
  }
}

/// A worker process.
enum WorkerProcess {
  /// The maximum number of open descriptors: the channel and the file of one message, plus a reserve.
  private static let descriptorLimit = 8

  /// Decodes images until the parent closes the channel; `memory` is the descriptor of the slot, if any.
  static func run(
    _ socket: Int32, memory: Int32?, capacity: Int, parent: pid_t, _ settings: WorkerSettings
  ) -> Never {
    // The sandbox forbids `getpid`.
    let process = getpid()
    do throws(SystemError) {
      let slot = try memory.map { memory throws(SystemError) in
        try WorkerSlot(mapping: memory, capacity: capacity, isWritable: false)
      }
      let (channel, sandbox) = start(socket, parent: parent, settings)
      try channel.send(WorkerEvent.ready(process, sandbox).bytes, within: .unlimited)
      guard settings.sandbox != .require || sandbox.filtersCalls else { _exit(0) }
      try answer(channel, slot, settings)
    } catch {
      _exit(1)
    }
    _exit(0)
  }

  /// Decodes one image, which the process has inherited.
  static func run(
    _ socket: Int32, _ request: [UInt8], _ input: WorkerInput, parent: pid_t,
    _ settings: WorkerSettings
  ) -> Never {
    settings.prepare(input)
    var (file, input) = (Int32?.none, input)
    if case .file(let descriptor) = input { (file, input) = (descriptor, .file(1)) }
    let (channel, sandbox) = start(socket, keeping: file, parent: parent, settings)
    // An error means that the parent has closed its end.
    if settings.sandbox == .require {
      try? channel.send(WorkerEvent.ready(parent, sandbox).bytes, within: .unlimited)
      guard sandbox.filtersCalls else { _exit(1) }
    }
    try? channel.send(settings.handle(request, input), within: .unlimited)
    _exit(0)
  }

  /// Limits the process, and returns its channel and protections; the open file, if any, becomes descriptor 1.
  private static func start(
    _ socket: Int32, keeping file: Int32? = nil, parent: pid_t, _ settings: WorkerSettings
  ) -> (WorkerChannel, Sandbox) {
    // A crash ends the worker by its signal, even if the Swift runtime has installed crash handlers.
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS] {
      signal(number, SIG_DFL)
    }
    guard lqip_die_with(parent) else { _exit(1) }
    lqip_mark_child(1000)
    dup2(socket, 0)
    if let file { dup2(file, 1) } else { close(1) }
    // Without a sandbox, standard error stays open for crash messages.
    lqip_close_from(settings.sandbox == .off ? 3 : 2)
    let channel = WorkerChannel(owning: 0)
    lqip_limit_resources(
      UInt64(settings.memoryLimit), UInt64(descriptorLimit), settings.sandbox == .off)
    return (channel, settings.sandbox == .off ? Sandbox.none : Sandbox.enter())
  }

  private static func answer(
    _ channel: WorkerChannel, _ slot: WorkerSlot?, _ settings: WorkerSettings
  ) throws(SystemError) {
    while true {
      let message = try channel.receive()
      guard !message.bytes.isEmpty else { return }
      guard let request = try? WorkerRequest.parse(message.bytes) else { _exit(2) }
      let input: WorkerInput =
        if let count = request.memoryCount, let slot {
          unsafe .memory(slot.image(count))
        } else {
          .file(message.descriptors.first ?? -1)
        }
      let reply = settings.handle(request.bytes, input)
      precondition(reply.count <= WorkerSettings.replyLimit)
      for file in message.descriptors { close(file) }
      try channel.send(WorkerEvent.reply(request.number, reply).bytes, within: .unlimited)
    }
  }
}
