import CLqipMicroHTTPD
import LqipSystem

/// Operations on a connection's socket that bypass libmicrohttpd.
///
/// Closing a socket with unread bytes resets the connection, and the client may lose the response.
/// Incoming bytes are therefore discarded for a short time, until the client has read the response.
enum RawSocket {
  /// The maximum time between incoming bytes.
  private static let idleTimeout = Duration.seconds(2)
  /// The time limit for discarding incoming bytes.
  private static let totalTimeout = Duration.seconds(10)
  /// The maximum number of discarded bytes, more than clients send before they read a response.
  private static let maximumByteCount = 256 << 20

  /// Writes a problem directly to the socket, without blocking, and closes its sending side.
  ///
  /// Bytes that do not fit into the send buffer are lost.
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
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Closes the sending side of the socket and discards incoming bytes, up to the limits.
  static func drain(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_WR))
    let end = MonotonicTime.now + totalTimeout
    var remaining = maximumByteCount
    while remaining > 0 {
      let time = Int32(min(end - .now, idleTimeout).milliseconds)
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
