internal import LqipFiles

/// Lets a client read the answer to a request that it is still sending.
///
/// To close a socket with bytes unread resets the connection, and the client may lose what it has
/// not read yet. So nothing more is sent, and what arrives is thrown away for a short while.
enum SocketDrain {
  private static let patience = Duration.seconds(1)

  static func drain(_ descriptor: Int32, _ limits: ServerLimits) {
    shutdown(descriptor, Int32(SHUT_WR))
    let deadline = ContinuousClock.now + patience
    var remaining = limits.bodyByteCount
    while remaining > 0 {
      let time = Int32((deadline - .now).milliseconds)
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard time > 0, unsafe poll(&request, 1, time) > 0 else { return }
      let count = unsafe withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) {
        unsafe recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
      }
      guard count > 0 else { return }
      remaining -= count
    }
  }
}
