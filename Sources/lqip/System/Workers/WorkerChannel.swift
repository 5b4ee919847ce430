import CLqipProcess

/// One end of a connection that carries messages, each as a whole, and descriptors with them.
final class WorkerChannel: Sendable {
  /// The longest message.
  static let capacity = 128 << 10
  /// The most descriptors of one message.
  static let descriptorLimit = Int(LQIP_MESSAGE_DESCRIPTORS)

  let descriptor: Int32

  /// Takes over an open socket.
  init(owning descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Two ends that are connected with each other.
  static func pair() throws(SystemError) -> (WorkerChannel, WorkerChannel) {
    var ends: [Int32] = [-1, -1]
    guard unsafe lqip_socket_pair(&ends) else { throw .last }
    return (WorkerChannel(owning: ends[0]), WorkerChannel(owning: ends[1]))
  }

  /// Sends a message.
  ///
  /// - Parameters:
  ///   - bytes: At most ``capacity``.
  ///   - descriptors: Stay open here.
  ///   - waits: Whether to wait for room.
  /// - Throws: The system's error: `EAGAIN` without room and without waiting.
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
  ///   - buffer: Room for the bytes, which come first in it.
  ///   - descriptors: Replaced by those of the message, which belong to the caller.
  ///   - waits: Whether to wait for a message.
  /// - Returns: The count of bytes; 0 at the end of the connection.
  /// - Throws: The system's error: `EAGAIN` without a message and without waiting.
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
