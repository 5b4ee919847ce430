internal import LqipFiles
internal import Synchronization

/// A socket that is bound to an address, for a server to listen on.
package final class ListenSocket: Sendable {
  static let permissions: mode_t = 0o660
  /// The first descriptor that systemd hands over.
  private static let firstInherited: Int32 = 3

  let descriptor: Int32
  /// The address, for messages.
  package let name: String
  /// Whether only this machine can connect.
  package let isPrivate: Bool
  /// The port, unless it is a local socket.
  package let port: UInt16?
  /// The file to remove at the end.
  private let path: FilePath?
  private let isInherited: Bool
  private let isStopped = Atomic(false)

  /// Binds a socket, or two for the name `localhost`, which is an address of IPv4 and one of IPv6.
  package static func all(_ address: ListenAddress) throws(ServerError) -> [ListenSocket] {
    guard case .network("localhost", let port) = address else {
      return [try ListenSocket(address)]
    }
    let first = try ListenSocket(.network(host: "127.0.0.1", port: port))
    do throws(ServerError) {
      return [first, try ListenSocket(.network(host: "::1", port: first.port ?? port))]
    } catch {
      // Not every machine has IPv6.
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

  /// Takes the socket that systemd hands over, if it does.
  ///
  /// - Parameter environment: Gives the value of an environment variable.
  /// - Throws: A `ServerError` if what is handed over is not one listening stream socket.
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

  /// Begins to queue connections; the corresponding C function is `listen`.
  func startListening() throws(ServerError) {
    try Self.check(name) { listen(descriptor, SOMAXCONN) }
  }

  /// Refuses new connections from now on.
  ///
  /// A socket of systemd's is left as it is: there they wait for the service's next start.
  func stopListening() {
    // The second time, the path may belong to another server.
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
