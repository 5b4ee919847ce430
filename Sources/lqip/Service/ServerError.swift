package import LqipFiles
package import LqipWorkers

/// Why the server cannot start.
package enum ServerError: Error, Hashable, Sendable {
  case listening(String, SystemError)
  /// The name of a host means nothing, for the reason the resolver gives.
  case unknownHost(String, reason: String)
  /// Something that is not a socket lies where the socket is to be.
  case occupied(FilePath)
  /// What systemd hands over is not one listening stream socket.
  case inheritedSocket
  /// Others can reach the address, and neither tokens nor open access were asked for.
  case unguarded(String)
  case starting(SystemError)
  case workers(WorkerError)
}

extension ServerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .listening(let address, let error):
      "cannot listen on \(address): \(error)"
        + (error.number == EADDRINUSE ? "; pass another address with --listen" : "")
    case .unknownHost(let host, let reason):
      "cannot listen on '\(host)': \(reason)"
    case .occupied(let path):
      "cannot listen on unix:\(path): file exists and is not a socket"
    case .inheritedSocket:
      "cannot use the socket passed by systemd: expected exactly one listening stream socket"
    case .unguarded(let address):
      "refusing to listen on \(address) without authentication; pass --token-file FILE or --no-auth"
    case .starting(let error):
      "cannot start the server: \(error)"
    case .workers(let error): "\(error)"
    }
  }
}
