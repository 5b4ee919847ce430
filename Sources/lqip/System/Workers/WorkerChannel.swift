import CLqipProcess

/// One end of a connection that preserves message boundaries and can transfer descriptors.
final class WorkerChannel: Sendable {
  /// The maximum message size in bytes.
  static let capacity = 128 << 10
  /// The maximum number of descriptors per message.
  static let descriptorLimit = Int(LQIP_MESSAGE_DESCRIPTORS)

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

  /// Sends a message of at most ``capacity`` bytes with duplicates of descriptors; throws `EAGAIN` if the socket buffer
  /// is full and `waits` is false.
  func send(
    _ bytes: [UInt8], _ descriptors: [Int32] = [], waits: Bool = true
  ) throws(SystemError) {
    let sent = unsafe lqip_send_message(
      descriptor, bytes, bytes.count, descriptors, Int32(descriptors.count), waits)
    guard sent >= 0 else { throw .last }
  }

  /// Receives a message and its descriptors, which the caller must close; returns 0 after the other end has been
  /// closed, and throws `EAGAIN` if no message has arrived and `waits` is false.
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
