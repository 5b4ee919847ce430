package import LqipSystem
import Synchronization

/// A bound socket for a server to listen on.
package final class ListenSocket: Sendable {
  static let permissions: mode_t = 0o660
  /// The backlog of a network socket, the same as in nginx.
  ///
  /// A longer backlog would delay the last client, because the server takes up to 0.1 ms to accept
  /// a connection. A Unix socket has the system maximum instead, because it refuses connections
  /// above its backlog.
  private static let backlog: Int32 = 511
  /// The first descriptor passed by systemd.
  private static let firstInherited: Int32 = 3

  let descriptor: Int32
  /// The address, for messages.
  package let name: String
  /// Whether only local processes can connect.
  package let isPrivate: Bool
  /// The port; nil for a Unix socket.
  package let port: UInt16?
  /// The socket file to remove at the end; nil for other sockets.
  private let path: FilePath?
  private let isInherited: Bool
  private let isStopped = Atomic(false)

  /// Binds the sockets for an address: an IPv4 and an IPv6 socket for `localhost`, otherwise one.
  package static func all(_ address: ListenAddress) throws(ServerError) -> [ListenSocket] {
    guard case .network("localhost", let port) = address else {
      return [try ListenSocket(address)]
    }
    let first = try ListenSocket(.network(host: "127.0.0.1", port: port))
    do throws(ServerError) {
      return [first, try ListenSocket(.network(host: "::1", port: first.port ?? port))]
    } catch {
      // IPv6 may be unavailable.
      guard case .listening(_, let reason) = error,
        [EADDRNOTAVAIL, EAFNOSUPPORT].contains(reason.number)
      else { throw error }
      return [first]
    }
  }

  /// Binds a socket.
  package init(_ address: ListenAddress) throws(ServerError) {
    switch address {
    case .network(let host, let port):
      descriptor = try Self.bound(to: host, port, address.description)
      path = nil
    case .local(let path):
      descriptor = try Self.bound(to: path, address.description)
      self.path = path
    }
    isInherited = false
    (name, isPrivate, port) = Self.facts(of: descriptor, else: address.description)
  }

  /// Adopts the socket passed by systemd; nil if there is none.
  ///
  /// - Parameter environment: Returns the value of an environment variable.
  /// - Throws: A `ServerError` if systemd did not pass exactly one listening stream socket.
  package init?(inheritedBy environment: (String) -> String?) throws(ServerError) {
    guard environment("LISTEN_PID") == String(getpid()), let count = environment("LISTEN_FDS")
    else { return nil }
    var type: Int32 = 0
    var isListening: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard count == "1",
      unsafe getsockopt(Self.firstInherited, SOL_SOCKET, SO_TYPE, &type, &length) == 0,
      unsafe getsockopt(Self.firstInherited, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0,
      type == Self.stream, isListening == 1
    else { throw .inheritedSocket }
    descriptor = Self.firstInherited
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    path = nil
    isInherited = true
    (name, isPrivate, port) = Self.facts(of: descriptor, else: "the socket passed by systemd")
  }

  deinit {
    stopListening()
    close(descriptor)
  }

  /// Starts to queue connections; the corresponding C function is `listen`.
  func startListening() throws(ServerError) {
    try Self.check(name) { listen(descriptor, port == nil ? SOMAXCONN : Self.backlog) }
  }

  /// Stops accepting connections.
  ///
  /// A socket passed by systemd stays open, so that clients can wait for the next start of the
  /// service.
  func stopListening() {
    // On a second call, the path may already belong to another server.
    guard !isInherited, !isStopped.exchange(true, ordering: .relaxed) else { return }
    if let path { _ = try? unsafe path.withCString { unsafe unlink($0) } }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  @discardableResult
  static func check(
    _ name: String, _ call: () -> Int32
  ) throws(ServerError) -> Int32 {
    do throws(SystemError) {
      return try SystemError.check(call)
    } catch {
      throw .listening(name, error)
    }
  }
}

/// An address to listen on, in the syntax of the command line.
package enum ListenAddress: Hashable, Sendable {
  case network(host: String, port: UInt16)
  case local(FilePath)

  /// Parses `HOST:PORT`, with an IPv6 address in brackets, or `unix:PATH`.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = text.dropFirst(5)
      guard !path.isEmpty else { return nil }
      self = .local(FilePath(String(path)))
      return
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
      return nil
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.contains(":") else { return nil }
    } else {
      guard !host.contains(":"), !host.contains("[") else { return nil }
    }
    guard !host.isEmpty else { return nil }
    self = .network(host: String(host), port: port)
  }
}

extension ListenAddress: CustomStringConvertible {
  package var description: String {
    switch self {
    case .network(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .local(let path): "unix:\(path)"
    }
  }
}

extension ListenSocket {
  #if canImport(Glibc)
  static let stream = Int32(SOCK_STREAM.rawValue)
  #else
  static let stream = SOCK_STREAM
  #endif

  /// Creates a socket that child processes do not inherit.
  static func makeSocket(_ family: Int32, _ name: String) throws(ServerError) -> Int32 {
    let descriptor = try check(name) { socket(family, stream, 0) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  /// Binds to the first usable address of a host.
  static func bound(
    to host: String, _ port: UInt16, _ name: String
  ) throws(ServerError) -> Int32 {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = stream
    unsafe hints.ai_flags = AI_PASSIVE
    var list: UnsafeMutablePointer<addrinfo>?
    let result = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard result == 0 else {
      throw .unknownHost(host, reason: unsafe String(cString: gai_strerror(result)))
    }
    defer { unsafe freeaddrinfo(list) }
    var failure = ServerError.listening(name, .invalidArgument)
    var next = unsafe list
    while let candidate = unsafe next?.pointee {
      unsafe next = candidate.ai_next
      do throws(ServerError) {
        return try unsafe bound(
          to: candidate.ai_addr, candidate.ai_addrlen, candidate.ai_family, name)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Binds to a network address.
  static func bound(
    to address: UnsafePointer<sockaddr>, _ length: socklen_t, _ family: Int32, _ name: String
  ) throws(ServerError) -> Int32 {
    let descriptor = try makeSocket(family, name)
    set(SO_REUSEADDR, of: SOL_SOCKET, to: 1, on: descriptor)
    // A socket on `[::]` also accepts IPv4 connections.
    if family == AF_INET6 { set(IPV6_V6ONLY, of: Int32(IPPROTO_IPV6), to: 0, on: descriptor) }
    do throws(ServerError) {
      try unsafe attach(descriptor, name, address, length)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Binds to a path, and replaces an abandoned socket.
  static func bound(to path: FilePath, _ name: String) throws(ServerError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard path.bytes.count < room.count else { return false }
      unsafe room.copyBytes(from: path.bytes)
      return true
    }
    guard fits else { throw .listening(name, .nameTooLong) }
    let descriptor = try makeSocket(AF_UNIX, name)
    do throws(ServerError) {
      try unsafe withAddress(&address) { pointer, length throws(ServerError) in
        try unsafe removeAbandoned(path, name, pointer, length)
        // Only the owner may connect until the final permissions are set.
        fchmod(descriptor, 0o600)
        try unsafe attach(descriptor, name, pointer, length)
      }
      try check(name) { (try? unsafe path.withCString { unsafe chmod($0, permissions) }) ?? -1 }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Binds a socket to an address.
  static func attach(
    _ descriptor: Int32, _ name: String, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
  ) throws(ServerError) {
    try check(name) { unsafe bind(descriptor, address, length) }
  }

  /// Removes an abandoned socket; a socket in use or another file at the path is an error.
  static func removeAbandoned(
    _ path: FilePath, _ name: String, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
  ) throws(ServerError) {
    var status = stat()
    let isThere = (try? unsafe path.withCString { unsafe lstat($0, &status) }) == 0
    guard isThere else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .occupied(path) }
    let probe = try makeSocket(AF_UNIX, name)
    defer { close(probe) }
    guard unsafe connect(probe, address, length) == -1, errno == ECONNREFUSED else {
      throw .listening(name, SystemError(number: EADDRINUSE))
    }
    _ = try? unsafe path.withCString { unsafe unlink($0) }
  }

  static func set(_ option: Int32, of level: Int32, to value: Int32, on descriptor: Int32) {
    var value = value
    _ = unsafe setsockopt(
      descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Returns the name, the visibility and the port of a bound socket; a Unix socket has no port.
  static func facts(
    of descriptor: Int32, else name: String
  ) -> (name: String, isPrivate: Bool, port: UInt16?) {
    var storage = sockaddr_storage()
    let address = unsafe withAddress(&storage) { address, length -> NumericAddress? in
      var length = length
      guard unsafe getsockname(descriptor, address, &length) == 0 else { return nil }
      return unsafe NumericAddress(address)
    }
    guard let address else { return (name, Int32(storage.ss_family) == AF_UNIX, nil) }
    return (
      "\(address.isIPv6 ? "[\(address.host)]" : address.host):\(address.port)",
      address.host == "::1" || address.host.hasPrefix("127."), address.port
    )
  }

  /// Calls `body` with a pointer to an address of any family.
  static func withAddress<Address, Result, Failure: Error>(
    _ address: inout Address,
    _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeMutablePointer(to: &address) { pointer throws(Failure) in
      try unsafe body(
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<Address>.size))
    }
  }
}

/// A numeric IPv4 or IPv6 address.
struct NumericAddress {
  let isIPv6: Bool
  let host: String
  let port: UInt16

  /// Formats an address with `getnameinfo`; nil for other address families.
  init?(_ address: UnsafePointer<sockaddr>) {
    let family = Int32(unsafe address.pointee.sa_family)
    isIPv6 = family == AF_INET6
    let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    guard isIPv6 || family == AF_INET,
      unsafe getnameinfo(
        address, socklen_t(size), &host, socklen_t(host.count), &service, socklen_t(service.count),
        Int32(NI_NUMERICHOST | NI_NUMERICSERV)) == 0,
      let port = UInt16(Self.text(service))
    else { return nil }
    self.host = Self.text(host)
    self.port = port
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
