internal import CLqipMicroHTTPD
internal import LqipFiles

/// Lets a client read the answer to a request that it is still sending.
///
/// To close a socket with bytes unread resets the connection, and the client may lose what it has
/// not read yet. So what arrives is thrown away until the client has noticed, for a short while.
enum SocketDrain {
  /// How long nothing may arrive.
  private static let silence = Duration.seconds(2)
  /// How long it may take together.
  private static let gracePeriod = Duration.seconds(10)
  /// How much is thrown away at most: more than clients send before they look for an answer.
  private static let maximumByteCount = 256 << 20

  /// Tells the client that nothing more is to come.
  static func endSending(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Throws away what arrives, after telling the client that nothing more is to come.
  static func drain(_ descriptor: Int32) {
    endSending(descriptor)
    let end = ContinuousClock.now + gracePeriod
    var remaining = maximumByteCount
    while remaining > 0 {
      let time = Int32(min(end - .now, silence).milliseconds)
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard time > 0, unsafe poll(&request, 1, time) > 0 else { return }
      let count = unsafe withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) {
        unsafe recv(descriptor, $0.baseAddress, $0.count, lqip_do_not_wait)
      }
      guard count > 0 else { return }
      remaining -= count
    }
  }
}
