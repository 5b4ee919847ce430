import CLqipProcess

/// One end of a connection that preserves message boundaries and can transfer descriptors.
final class WorkerChannel: Sendable {
  /// The maximum message size in bytes.
  static let capacity = 128 << 10
  /// The maximum number of descriptors per message.
  static let descriptorLimit = Int(LQIP_MESSAGE_DESCRIPTORS)

  let descriptor: Int32

  /// Creates a channel that owns an open socket.
  init(owning descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Creates two connected channels.
  static func pair() throws(SystemError) -> (WorkerChannel, WorkerChannel) {
    var ends: [Int32] = [-1, -1]
    guard unsafe lqip_socket_pair(&ends) else { throw .last }
    return (WorkerChannel(owning: ends[0]), WorkerChannel(owning: ends[1]))
  }

  /// Sends a message.
  ///
  /// - Parameters:
  ///   - bytes: The message, at most ``capacity`` bytes.
  ///   - descriptors: The descriptors to transfer. They stay open in this process.
  ///   - waits: Whether to block while the socket buffer is full.
  /// - Throws: The system's error; `EAGAIN` if the buffer is full and `waits` is false.
  func send(
    _ bytes: [UInt8], _ descriptors: [Int32] = [], waits: Bool = true
  ) throws(SystemError) {
    let sent = unsafe lqip_send_message(
      descriptor, bytes, bytes.count, descriptors, Int32(descriptors.count), waits)
    guard sent >= 0 else { throw .last }
  }

  /// Receives a message.
  ///
  /// - Parameters:
  ///   - buffer: The buffer for the message, filled from its start.
  ///   - descriptors: Replaced by the received descriptors, which the caller must close.
  ///   - waits: Whether to block until a message arrives.
  /// - Returns: The number of bytes received; 0 after the other end has been closed.
  /// - Throws: The system's error; `EAGAIN` if no message has arrived and `waits` is false.
  func receive(
    into buffer: inout [UInt8], _ descriptors: inout [Int32], waits: Bool = true
  ) throws(SystemError) -> Int {
    var numbers = [Int32](repeating: -1, count: Self.descriptorLimit)
    var count: Int32 = 0
    let received = unsafe lqip_receive_message(
      descriptor, &buffer, buffer.count, &numbers, &count, waits)
    descriptors = Array(numbers.prefix(Int(count)))
    guard received >= 0 else { throw .last }
    return received
  }
}
