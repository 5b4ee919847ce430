import CLqipProcess

/// One end of a connection that preserves message boundaries and can transfer descriptors.
final class WorkerChannel: Sendable {
  /// The maximum message size in bytes: a reply and its header.
  static let capacity = 16 << 10
  /// The maximum number of descriptors per message.
  static let descriptorLimit = Int(LQIP_MESSAGE_DESCRIPTORS)

  /// A received message.
  struct Message {
    /// The content; empty after the other end has been closed.
    let bytes: [UInt8]
    /// The received descriptors, which the receiver must close.
    let descriptors: [Int32]
  }

  let descriptor: Int32

  init(owning descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  static func pair() throws(SystemError) -> (WorkerChannel, WorkerChannel) {
    var ends: [Int32] = [-1, -1]
    guard unsafe lqip_socket_pair(&ends) else { throw .last }
    return (WorkerChannel(owning: ends[0]), WorkerChannel(owning: ends[1]))
  }

  /// The time that a full socket has to become writable.
  enum Patience {
    case none
    case limited(Duration)
    /// For workers, which may wait for the parent. The parent never waits for a worker.
    case unlimited
  }

  /// Sends a message of at most ``capacity`` bytes with duplicates of descriptors; throws `EAGAIN` if the socket is still
  /// full after the time.
  func send(
    _ bytes: [UInt8], _ descriptors: [Int32] = [], within patience: Patience = .none
  ) throws(SystemError) {
    let deadline: MonotonicTime? =
      if case .limited(let time) = patience { .now + time } else { nil }
    while true {
      let waits = if case .unlimited = patience { true } else { false }
      let sent = unsafe lqip_send_message(
        descriptor, bytes, bytes.count, descriptors, Int32(descriptors.count), waits)
      guard sent < 0 else { return }
      let error = SystemError.last
      guard error == .wouldBlock, let deadline,
        try FileDescriptor.wait(for: Int16(POLLOUT), on: descriptor, until: deadline)
      else { throw error }
    }
  }

  /// The interval between checks of a busy worker, in milliseconds.
  private static let watchInterval: Int32 = 50

  /// Waits for a message, and calls `check` regularly; returns the first failure that it reports.
  func waitForMessage(_ check: () -> WorkerFailure?) -> WorkerFailure? {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&polled, 1, Self.watchInterval) <= 0 {
      if let failure = check() { return failure }
    }
    return nil
  }

  /// Receives a message of at most `capacity` bytes; throws `EAGAIN` if none has arrived and `waits` is false.
  func receive(
    upTo capacity: Int = WorkerChannel.capacity, waits: Bool = true
  ) throws(SystemError) -> Message {
    var descriptors = [Int32](repeating: -1, count: Self.descriptorLimit)
    var descriptorCount: Int32 = 0
    // The pages of the array that the message does not reach cost nothing.
    let bytes = try unsafe FileDescriptor.bytes(upTo: capacity) { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      return unsafe lqip_receive_message(
        descriptor, start, buffer.count, &descriptors, &descriptorCount, waits)
    }
    return Message(bytes: bytes, descriptors: Array(descriptors.prefix(Int(descriptorCount))))
  }
}
