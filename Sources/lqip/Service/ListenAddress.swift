package import LqipFiles

/// Where a server listens, as it is written on the command line.
package enum ListenAddress: Hashable, Sendable {
  case network(host: String, port: UInt16)
  case local(FilePath)

  /// Reads `HOST:PORT`, with an IPv6 address in brackets, or `unix:PATH`.
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
