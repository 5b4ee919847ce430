/// A request to a worker for one image.
struct WorkerRequest {
  /// A random number that the reply must repeat.
  ///
  /// A worker cannot answer a request that it has not received.
  let number: UInt64
  /// The size in bytes of an image in shared memory; `nil` for a file, whose descriptor the message contains.
  let memoryCount: Int?
  let bytes: [UInt8]

  /// The maximum size of a request in bytes.
  static let limit = 1 << 10

  var message: [UInt8] {
    var writer = MessageWriter()
    writer.add(number)
    writer.add(memoryCount) { $0.add(UInt64($1)) }
    writer.add(bytes)
    return writer.bytes
  }

  static func parse(_ message: [UInt8]) throws(MalformedMessage) -> WorkerRequest {
    var reader = MessageReader(message)
    let request = WorkerRequest(
      number: try reader.integer(),
      memoryCount: try reader.optional { reader throws(MalformedMessage) in
        Int(clamping: try reader.integer(UInt64.self))
      }, bytes: try reader.countedBytes(upTo: limit))
    try reader.finish()
    return request
  }
}

/// A message from a worker, or from the zygote on its behalf.
enum WorkerEvent {
  /// The worker has entered its sandbox and is ready for images.
  case ready(pid_t, Sandbox)
  /// The reply to the request with this number.
  case reply(UInt64, [UInt8])
  /// The process has ended with this `waitpid` status.
  case ended(Int32)
  /// The process could not be forked.
  case notStarted(SystemError)

  var bytes: [UInt8] {
    var writer = MessageWriter()
    switch self {
    case .ready(let process, let sandbox):
      writer.add(UInt8(0))
      writer.add(process)
      writer.add(sandbox.filtersCalls)
      writer.add(sandbox.hasLandlock)
      writer.add(sandbox.refusal?.number ?? 0)
    case .reply(let number, let reply):
      writer.add(UInt8(1))
      writer.add(number)
      writer.add(reply)
    case .ended(let status):
      writer.add(UInt8(2))
      writer.add(status)
    case .notStarted(let error):
      writer.add(UInt8(3))
      writer.add(error.number)
    }
    return writer.bytes
  }

  /// Parses an untrusted event.
  static func parse(_ message: [UInt8]) throws(MalformedMessage) -> WorkerEvent {
    var reader = MessageReader(message)
    let event: WorkerEvent
    switch try reader.integer(UInt8.self) {
    case 0:
      let process = try reader.integer(pid_t.self, in: 1...pid_t.max)
      let (filtersCalls, hasLandlock) = (try reader.flag(), try reader.flag())
      let number = try reader.integer(Int32.self, in: 0...4095)
      let sandbox = Sandbox(
        filtersCalls: filtersCalls, hasLandlock: hasLandlock,
        refusal: number == 0 ? nil : SystemError(number: number))
      event = .ready(process, sandbox)
    case 1:
      let number = try reader.integer(UInt64.self)
      event = .reply(number, try reader.countedBytes(upTo: WorkerSettings.replyLimit))
    case 2: event = .ended(try reader.integer())
    case 3: event = .notStarted(SystemError(number: try reader.integer(in: 0...4095)))
    default: throw MalformedMessage()
    }
    try reader.finish()
    return event
  }
}
