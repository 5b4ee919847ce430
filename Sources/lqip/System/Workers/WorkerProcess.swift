import CLqipProcess

/// What a worker is to do with an image.
package struct WorkerInput: ~Copyable {
  /// Where the bytes of the image are.
  @safe package enum Source {
    /// In an open file.
    case file(Int32)
    /// In memory that the parent must not change meanwhile.
    case memory(UnsafeRawBufferPointer)
  }

  package var request: MessageReader
  package let source: Source
}

/// How workers are set up.
package struct WorkerSettings: Sendable {
  /// The walls that a worker has to enter before its first image.
  package var sandbox: Sandbox.Mode
  /// The private memory that a worker may use.
  package var memoryLimit: Int
  /// The most workers at a time.
  package var workerLimit: Int
  /// How many bytes an image without a file may have.
  package var inputCapacity: Int
  /// Loads and computes what all workers need, before the sandbox is entered.
  package var prepare: @Sendable () -> Void
  /// Turns an image into the bytes of its reply, at most ``replyLimit``.
  package var handle: @Sendable (borrowing WorkerInput) -> [UInt8]

  /// The longest reply for one image.
  package static let replyLimit = 15 << 10

  package init(
    sandbox: Sandbox.Mode, memoryLimit: Int, workerLimit: Int, inputCapacity: Int,
    prepare: @escaping @Sendable () -> Void,
    handle: @escaping @Sendable (borrowing WorkerInput) -> [UInt8]
  ) {
    self.sandbox = sandbox
    self.memoryLimit = memoryLimit
    self.workerLimit = workerLimit
    self.inputCapacity = inputCapacity
    self.prepare = prepare
    self.handle = handle
  }
}

/// The process that decodes: it takes images from its parent, one at a time, until the parent hangs up.
enum WorkerProcess {
  /// The most images of one message.
  static let gatherLimit = 8

  /// Descriptors of a worker: its channel and those of one message.
  private static let descriptorLimit = 24

  /// Whoever calls this has just been forked; it does not return.
  static func run(
    _ socket: Int32, _ slot: Int, of board: WorkerBoard, parent: pid_t, _ settings: WorkerSettings
  ) -> Never {
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS] {
      signal(number, SIG_DFL)
    }
    guard lqip_die_with(parent) else { _exit(1) }
    let memory = board.keepOnly(slot)
    dup2(socket, 0)
    // Without a filter, the message of a crash is worth more than a closed standard error.
    close(1)
    lqip_close_from(settings.sandbox == .off ? 3 : 1)
    let channel = WorkerChannel(owning: 0)
    lqip_limit_resources(
      UInt64(settings.memoryLimit), UInt64(descriptorLimit), settings.sandbox == .off)
    let process = getpid()
    let sandbox = settings.sandbox == .off ? Sandbox.none : Sandbox.enter()
    do throws(SystemError) {
      try channel.send(WorkerEvent.ready(process, sandbox).bytes)
      guard settings.sandbox != .require || sandbox.filtersCalls else { _exit(0) }
      try answer(channel, memory, settings)
    } catch {
      _exit(1)
    }
    _exit(0)
  }

  private static func answer(
    _ channel: WorkerChannel, _ memory: WorkerMemory, _ settings: WorkerSettings
  ) throws(SystemError) {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var descriptors: [Int32] = []
    var number: UInt32 = 0
    while true {
      let count = try channel.receive(into: &buffer, &descriptors)
      guard count > 0 else { return }
      number += 1
      guard let requests = try? WorkerRequest.parse(Array(buffer[..<count])) else { _exit(2) }
      var replies: [[UInt8]] = []
      var files = descriptors[...]
      for (index, request) in requests.enumerated() {
        memory.progress = WorkerMemory.Progress(message: number, index: index)
        let source: WorkerInput.Source
        switch request.source {
        case .file: source = .file(files.popFirst() ?? -1)
        case .memory(let count): source = unsafe .memory(memory.input(count))
        }
        let reply = settings.handle(
          WorkerInput(request: MessageReader(request.bytes), source: source))
        precondition(reply.count <= WorkerSettings.replyLimit)
        replies.append(reply)
        if case .file(let file) = source { close(file) }
      }
      try channel.send(WorkerEvent.replies(replies).bytes)
    }
  }
}
