package import LqipSystem

/// A socket address of any family.
package struct SocketAddress {
  private var storage = sockaddr_storage()
  private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// Resolves an address: the first one of a host, or the path of a Unix socket.
  package init(_ address: ListenAddress) throws(CommandError) {
    switch address {
    case .network(let host, let port):
      var hints = unsafe addrinfo()
      unsafe hints.ai_flags = AI_PASSIVE
      unsafe hints.ai_protocol = Int32(IPPROTO_TCP)
      var list: UnsafeMutablePointer<addrinfo>?
      let result = unsafe getaddrinfo(host, String(port), &hints, &list)
      guard result == 0, let first = unsafe list?.pointee else {
        throw .failed(unsafe "cannot listen on '\(host)': \(String(cString: gai_strerror(result)))")
      }
      defer { unsafe freeaddrinfo(list) }
      length = unsafe first.ai_addrlen
      unsafe withUnsafeMutableBytes(of: &storage) {
        unsafe $0.copyMemory(
          from: UnsafeRawBufferPointer(start: first.ai_addr, count: Int(first.ai_addrlen)))
      }
    case .local(let path):
      let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
      guard path.bytes.count < capacity else { throw .cannotListen(on: "\(address)", .nameTooLong) }
      storage.ss_family = sa_family_t(AF_UNIX)
      length = socklen_t(MemoryLayout<sockaddr_un>.size)
      unsafe withUnsafeMutableBytes(of: &storage) { bytes in
        let start = MemoryLayout<sockaddr_un>.size - capacity
        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).copyBytes(from: path.bytes)
      }
    }
  }

  /// Creates the address of a socket with `getsockname` or `getpeername`.
  init(
    _ query: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32,
    _ descriptor: Int32
  ) {
    var length = length
    unsafe withUnsafeMutablePointer(to: &storage) { storage in
      _ = unsafe query(
        descriptor, UnsafeMutableRawPointer(storage).assumingMemoryBound(to: sockaddr.self),
        &length)
    }
    self.length = length
  }

  var family: Int32 { Int32(storage.ss_family) }

  /// The numeric host and the port; `nil` unless the address is an IPv4 or IPv6 address.
  var numeric: (host: String, port: UInt16)? {
    guard family == AF_INET || family == AF_INET6 else { return nil }
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let result = unsafe withPointer {
      unsafe getnameinfo($0, $1, &host, socklen_t(host.count), nil, 0, Int32(NI_NUMERICHOST))
    }
    guard result == 0 else { return nil }
    // The port of both families is in bytes 2 and 3, in network byte order.
    let port = unsafe withUnsafeBytes(of: storage) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
    let bytes = host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return (String(decoding: bytes, as: UTF8.self), port)
  }

  /// Calls `body` with the address and its length.
  package func withPointer<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    unsafe withUnsafePointer(to: storage) {
      unsafe body(UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), length)
    }
  }
}
