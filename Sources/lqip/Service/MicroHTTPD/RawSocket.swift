import CLqipMicroHTTPD
import LqipSystem

/// What is done with a connection's socket past the library.
///
/// To close a socket with bytes unread resets the connection, and the client may lose what it has
/// not read yet. So what arrives is thrown away until the client has noticed, for a short while.
enum RawSocket {
  /// How long nothing may arrive.
  private static let silence = Duration.seconds(2)
  /// How long it may take together.
  private static let gracePeriod = Duration.seconds(10)
  /// How much is thrown away at most: more than clients send before they look for an answer.
  private static let maximumByteCount = 256 << 20

  /// Writes a problem, where the library would send a response of its own or none, as far as it fits at once.
  static func send(_ problem: Problem, fields: [HeaderField] = [], to descriptor: Int32) {
    let response = problem.response
    var text = "HTTP/1.1 \(problem.status) \(problem.title)\r\nconnection: close\r\n"
    for (name, value) in response.fields + fields { text += "\(name): \(value)\r\n" }
    text += "content-length: \(response.body.count)\r\n\r\n"
    let bytes = Array(text.utf8) + response.body
    _ = unsafe bytes.withUnsafeBytes {
      unsafe sendto(
        descriptor, $0.baseAddress, $0.count, lqip_do_not_wait | lqip_no_signal, nil, 0)
    }
  }

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
