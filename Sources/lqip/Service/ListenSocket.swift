package import LqipSystem
import Synchronization

/// A socket that a server listens on; the system queues connections until the server accepts them.
package final class ListenSocket: Sendable {
  /// The first descriptor passed by systemd.
  private static let firstInherited: Int32 = 3
  /// The maximum time to wait for another server that is about to listen on a path in the same directory.
  private static let lockTime = Duration.seconds(1)

  let descriptor: Int32
  /// The address, for messages.
  package let name: String
  /// Whether only local processes can connect.
  package let isPrivate: Bool
  /// The port; `nil` for a Unix socket.
  package let port: UInt16?
  /// The socket file to remove when listening stops; `nil` for other sockets.
  private let file: (path: FilePath, identity: FileStatus.Identity)?
  /// Whether `stopListening()` has no effect: after its first call, or for a socket passed by systemd.
  private let isStopped: Atomic<Bool>

  /// Listens on the sockets for an address.
  ///
  /// `localhost` has a socket for IPv4 and, if available, one for IPv6. Any other address has one socket.
  package static func all(_ address: ListenAddress) throws(CommandError) -> [ListenSocket] {
    guard case .network("localhost", let port) = address else {
      return [try ListenSocket(address)]
    }
    let first = try ListenSocket(.network(host: "127.0.0.1", port: port))
    // IPv6 may be unavailable.
    guard (try? ListenSocket(.network(host: "::1", port: 0))) != nil else { return [first] }
    return [first, try ListenSocket(.network(host: "::1", port: first.port ?? port))]
  }

  /// Listens on the first address of a host, or on a path after removing an abandoned socket file.
  package convenience init(_ address: ListenAddress) throws(CommandError) {
    let resolved = try SocketAddress(address)
    do throws(SystemError) {
      guard case .local(let path) = address else {
        self.init(try Self.listening(on: resolved, at: nil), name: "\(address)")
        return
      }
      // A server that starts at the same time would take a socket that does not listen yet for an abandoned one.
      let directory = Self.lockedDirectory(of: path)
      defer { withExtendedLifetime(directory) {} }
      try Self.removeAbandoned(path, resolved)
      let descriptor = try Self.listening(on: resolved, at: path)
      let identity = try FileStatus(of: path, followsLinks: false).identity
      self.init(descriptor, name: "\(address)", file: (path, identity))
    } catch {
      throw .cannotListen(on: "\(address)", error)
    }
  }

  /// Adopts the socket passed by systemd; `nil` if there is none.
  ///
  /// `environment` returns the value of an environment variable.
  package convenience init?(inheritedBy environment: (String) -> String?) throws(CommandError) {
    guard environment("LISTEN_PID") == String(getpid()), let count = environment("LISTEN_FDS")
    else { return nil }
    guard count == "1",
      Self.option(SO_TYPE, of: Self.firstInherited) == FileDescriptor.streamSocket,
      Self.option(SO_ACCEPTCONN, of: Self.firstInherited) == 1
    else {
      throw .failed(
        "cannot use the socket passed by systemd: expected exactly one listening stream socket")
    }
    _ = fcntl(Self.firstInherited, F_SETFD, FD_CLOEXEC)
    self.init(Self.firstInherited, name: "the socket passed by systemd", isInherited: true)
  }

  private init(
    _ descriptor: Int32, name: String, file: (path: FilePath, identity: FileStatus.Identity)? = nil,
    isInherited: Bool = false
  ) {
    self.descriptor = descriptor
    self.file = file
    isStopped = Atomic(isInherited)
    let address = unsafe SocketAddress(getsockname, descriptor)
    let numeric = address.numeric
    port = numeric?.port
    self.name = numeric.map { "\(ListenAddress.network(host: $0.host, port: $0.port))" } ?? name
    isPrivate =
      numeric.map { $0.host == "::1" || $0.host.hasPrefix("127.") } ?? (address.family == AF_UNIX)
  }

  deinit {
    stopListening()
    close(descriptor)
  }

  /// Stops accepting connections, and removes the socket file, unless its path belongs to another server by now.
  ///
  /// A socket passed by systemd stays open, so that clients can wait for the next start of the service.
  func stopListening() {
    guard !isStopped.exchange(true, ordering: .relaxed) else { return }
    if let file, file.identity == (try? FileStatus(of: file.path, followsLinks: false).identity) {
      OutputFile.remove(file.path)
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Binds a socket, sets the mode of its file, if any, and listens.
  private static func listening(
    on address: SocketAddress, at path: FilePath?
  ) throws(SystemError) -> Int32 {
    let socket = try FileDescriptor(streamSocketOf: address.family)
    // Without IPV6_V6ONLY, a socket on `[::]` also accepts IPv4 connections.
    for (level, option, value) in [
      (SOL_SOCKET, SO_REUSEADDR, 1), (Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0),
    ] as [(Int32, Int32, Int32)] {
      _ = unsafe withUnsafeBytes(of: value) {
        unsafe setsockopt(socket.number, level, option, $0.baseAddress, socklen_t($0.count))
      }
    }
    let number = socket.number
    try SystemError.check { unsafe address.withPointer { unsafe bind(number, $0, $1) } }
    if let path {
      // The owner and the group can connect.
      try SystemError.check { (try? unsafe path.withCString { unsafe chmod($0, 0o660) }) ?? -1 }
    }
    try SystemError.check { listen(number, SOMAXCONN) }
    return socket.release()
  }

  /// Locks the directory of a path until the descriptor is closed; `nil` if it is unreadable or locked for too long.
  private static func lockedDirectory(of path: FilePath) -> FileDescriptor? {
    let name = path.directory.bytes.isEmpty ? FilePath(".") : path.directory
    guard let directory = try? FileDescriptor(opening: name, O_RDONLY | O_DIRECTORY) else {
      return nil
    }
    let end = MonotonicTime.now + lockTime
    while flock(directory.number, LOCK_EX | LOCK_NB) == -1 {
      guard MonotonicTime.now < end else { return nil }
      SystemThread.sleep(for: .milliseconds(5))
    }
    return directory
  }

  /// Removes an abandoned socket file; throws if the socket is in use or the file is not a socket.
  private static func removeAbandoned(
    _ path: FilePath, _ address: SocketAddress
  ) throws(SystemError) {
    var status = stat()
    guard (try? unsafe path.withCString { unsafe lstat($0, &status) }) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw SystemError(number: ENOTSOCK) }
    let probe = try FileDescriptor(streamSocketOf: AF_UNIX)
    let number = probe.number
    let isConnected = unsafe address.withPointer({ unsafe connect(number, $0, $1) }) == 0
    switch errno {
    case ECONNREFUSED where !isConnected: OutputFile.remove(path)
    case EACCES where !isConnected: throw SystemError(number: EACCES)
    default: throw SystemError(number: EADDRINUSE)
    }
  }

  /// Returns the value of an integer socket option; `nil` if the descriptor is not a socket.
  private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
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
    // The port has no sign, and only an IPv6 address contains colons.
    guard let colon = text.lastIndex(of: ":") else { return nil }
    var host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    let isBracketed = host.first == "[" && host.last == "]"
    if isBracketed { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, host.contains(":") == isBracketed, !host.contains(where: "[]".contains),
      let port = Int(decimal: digits).flatMap(UInt16.init(exactly:))
    else { return nil }
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

extension CommandError {
  static func cannotListen(on name: String, _ error: SystemError) -> CommandError {
    let reason =
      switch error.number {
      case EADDRINUSE: "\(error); pass another address with --listen"
      case ENOTSOCK: "file exists and is not a socket"
      default: "\(error)"
      }
    return .failed("cannot listen on \(name): \(reason)")
  }
}
