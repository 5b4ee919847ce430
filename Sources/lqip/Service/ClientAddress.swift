internal import LqipFiles

/// Where a client is: an IPv4 address, or the first half of an IPv6 address, as one host may have
/// all of the others.
struct ClientAddress: Hashable, Sendable {
  private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]

  private let bytes: [UInt8]

  /// Takes the address of a socket; nil for one that is not of a network.
  init?(_ address: UnsafePointer<sockaddr>) {
    let start = unsafe UnsafeRawPointer(address)
    switch Int32(unsafe address.pointee.sa_family) {
    case AF_INET:
      let address = unsafe start.loadUnaligned(as: sockaddr_in.self)
      bytes = unsafe withUnsafeBytes(of: address.sin_addr) { unsafe Array($0) }
    case AF_INET6:
      let address = unsafe start.loadUnaligned(as: sockaddr_in6.self)
      let all = unsafe withUnsafeBytes(of: address.sin6_addr) { unsafe Array($0) }
      bytes = all.starts(with: Self.mappedPrefix) ? Array(all[12...]) : Array(all[..<8])
    default: return nil
    }
  }
}

extension ClientAddress: CustomStringConvertible {
  var description: String {
    guard bytes.count == 8 else { return bytes.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 8, by: 2).map { index in
      String(Int(bytes[index]) << 8 | Int(bytes[index + 1]), radix: 16)
    }.joined(separator: ":") + "::/64"
  }
}
