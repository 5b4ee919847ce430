import Foundation

/// An HTTP client that sends any bytes, valid or not.
package final class RawClient {
  /// A received response.
  package struct Response: Hashable {
    package let status: Int
    package let fields: [String: String]
    package let body: [UInt8]

    /// The `code` of a problem document; nil for any other body.
    package var code: String? {
      let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
      return object?["code"] as? String
    }
  }

  package struct Failure: Error {
    package let reason: String

    package init(reason: String) {
      self.reason = reason
    }
  }

  private let descriptor: Int32
  private var received: [UInt8] = []

  /// Connects to a local port.
  package init(port: UInt16) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    descriptor = try Self.connected(AF_INET, &address)
  }

  /// Connects to a Unix socket.
  package init(path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    descriptor = try Self.connected(AF_UNIX, &address)
  }

  deinit { close(descriptor) }

  private static func connected<Address>(
    _ family: Int32, _ address: inout Address
  ) throws -> Int32 {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    // A timeout keeps tests from hanging. A browser on a busy machine may take a minute for a page.
    var timeout = timeval(tv_sec: 120, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let result = unsafe withUnsafePointer(to: &address) {
      unsafe connect(
        descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<Address>.size))
    }
    guard result == 0 else {
      let reason = unsafe String(cString: strerror(errno))
      close(descriptor)
      throw Failure(reason: reason)
    }
    return descriptor
  }

  /// Sends bytes until the server closes the connection, and returns the number of sent bytes.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Int {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe sendto(
          descriptor, $0.baseAddress.map { unsafe $0 + sent }, bytes.count - sent,
          Int32(MSG_NOSIGNAL), nil, 0)
      }
      guard count > 0 else { break }
      sent += count
    }
    return sent
  }

  @discardableResult
  package func send(_ text: String) -> Int {
    send(Array(text.utf8))
  }

  /// Closes the sending side of the connection.
  package func finishSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Reads the next response; the response to a HEAD request has no body.
  package func response(hasBody: Bool = true) throws -> Response {
    let end = Array("\r\n\r\n".utf8)
    var headEnd: Int?
    while headEnd == nil {
      headEnd = received.indices.first { received[$0...].starts(with: end) }
      if headEnd == nil, try !receive() {
        throw Failure(reason: "closed after '\(String(decoding: received, as: UTF8.self))'")
      }
    }
    let head = String(decoding: received[..<(headEnd ?? 0)], as: UTF8.self)
    received.removeFirst((headEnd ?? 0) + end.count)
    let lines = head.components(separatedBy: "\r\n")
    guard lines[0].hasPrefix("HTTP/1.1 "), let status = Int(lines[0].dropFirst(9).prefix(3)) else {
      throw Failure(reason: "not a response: \(lines[0])")
    }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.range(of: ": ") else { throw Failure(reason: "not a field: \(line)") }
      fields[line[..<colon.lowerBound].lowercased()] = String(line[colon.upperBound...])
    }
    let count = hasBody && status != 100 ? Int(fields["content-length"] ?? "0") ?? 0 : 0
    while received.count < count {
      guard try receive() else { throw Failure(reason: "closed within a body") }
    }
    defer { received.removeFirst(count) }
    return Response(status: status, fields: fields, body: Array(received.prefix(count)))
  }

  /// Reads up to and including a terminator, and returns the bytes before it.
  package func bytes(before end: UInt8) throws -> [UInt8] {
    while !received.contains(end) {
      guard try receive() else { throw Failure(reason: "closed within a message") }
    }
    let position = received.firstIndex(of: end) ?? 0
    defer { received.removeFirst(position + 1) }
    return Array(received[..<position])
  }

  /// Reads a number of bytes.
  package func bytes(_ count: Int) throws -> [UInt8] {
    while received.count < count {
      guard try receive() else { throw Failure(reason: "closed within a message") }
    }
    defer { received.removeFirst(count) }
    return Array(received.prefix(count))
  }

  /// Reads until the server closes the connection, and returns the received bytes.
  package func rest() throws -> [UInt8] {
    while try receive() {}
    return received
  }

  /// Returns whether the server closes the connection without sending anything else.
  package func isClosed() throws -> Bool {
    try rest().isEmpty
  }

  private func receive() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno != ECONNRESET {
      throw Failure(reason: unsafe String(cString: strerror(errno)))
    }
    received += buffer.prefix(max(0, count))
    return count > 0
  }
}
