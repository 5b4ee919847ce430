package import LqipFiles

/// Why the server cannot start.
package enum ServerError: Error, Hashable, Sendable {
  case listening(String, SystemError)
  /// The name of a host means nothing, for the reason the resolver gives.
  case unknownHost(String, reason: String)
  /// Something that is not a socket lies where the socket is to be.
  case occupied(FilePath)
  /// What systemd hands over is not one listening stream socket.
  case inheritedSocket
  case certificate
  /// Others can reach the address, and neither tokens nor open access were asked for.
  case unguarded(String)
  case starting(SystemError)
}

extension ServerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .listening(let address, let error):
      "cannot listen on \(address): \(error)"
    case .unknownHost(let host, let reason):
      "cannot listen on '\(host)': \(reason)"
    case .occupied(let path):
      "cannot listen on unix:\(path): a file of that name is there, and it is not a socket"
    case .inheritedSocket:
      "cannot listen: systemd has to hand over exactly one listening stream socket"
    case .certificate:
      "the certificate and its key are not two PEM files that belong together"
    case .unguarded(let address):
      "others can reach \(address): give '--token-file FILE', or '--no-auth' to let them in"
    case .starting(let error):
      "cannot start the server: \(error)"
    }
  }
}
