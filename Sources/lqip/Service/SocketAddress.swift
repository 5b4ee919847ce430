import LqipSystem

/// A socket address of any family.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// Resolves a host name or a numeric address to socket addresses with the given port.
  static func all(of host: String, _ port: UInt16) throws(CommandError) -> [SocketAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_PASSIVE
    unsafe hints.ai_protocol = Int32(IPPROTO_TCP)
    var list: UnsafeMutablePointer<addrinfo>?
    let result = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard result == 0 else {
      throw .failed(
        unsafe "cannot listen on '\(host)': \(String(cString: gai_strerror(result)))")
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next?.pointee {
      unsafe addresses.append(SocketAddress(copying: entry.ai_addr, entry.ai_addrlen))
      unsafe next = entry.ai_next
    }
    return addresses
  }

  /// Creates the address of a Unix socket.
  init(path: FilePath) throws(SystemError) {
    let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
    guard path.bytes.count < capacity else { throw .nameTooLong }
    storage.ss_family = sa_family_t(AF_UNIX)
    length = socklen_t(MemoryLayout<sockaddr_un>.size)
    unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      let start = MemoryLayout<sockaddr_un>.size - capacity
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).copyBytes(from: path.bytes)
    }
  }

  private init(copying address: UnsafePointer<sockaddr>, _ length: socklen_t) {
    self.length = length
    unsafe withUnsafeMutableBytes(of: &storage) {
      unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
    }
  }

  /// Creates the local or remote address of a socket.
  ///
  /// - Parameters:
  ///   - query: `getsockname` for the local address, `getpeername` for the remote one.
  ///   - descriptor: The socket.
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
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    unsafe withUnsafePointer(to: storage) {
      unsafe body(UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), length)
    }
  }
}
