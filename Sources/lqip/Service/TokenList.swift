internal import LqipFiles

/// The bearer tokens that open the server, of which only the digests are kept.
struct TokenList: Sendable {
  private let digests: [SHA256Digest]

  /// Reads the lines of a file, a token each; blank ones and those that begin with `#` mean nothing.
  ///
  /// - Parameter lines: The lines, without their ends.
  /// - Throws: ``TokenListError``.
  init(_ lines: [[UInt8]]) throws(TokenListError) {
    var digests: [SHA256Digest] = []
    for (index, line) in lines.enumerated() {
      let words = line.split(whereSeparator: Self.isBlank)
      guard let token = words.first, token.first != UInt8(ascii: "#") else { continue }
      guard words.count == 1, token.allSatisfy(Self.isAllowed) else {
        throw .malformed(line: index + 1)
      }
      digests.append(SHA256Digest(of: Array(token)))
    }
    guard !digests.isEmpty else { throw .empty }
    self.digests = digests
  }

  /// Whether a token is one of them; the time that it takes tells nothing about them.
  func contains(_ token: some Collection<UInt8>) -> Bool {
    let digest = SHA256Digest(of: Array(token))
    return digests.reduce(false) { $1.isEqualInConstantTime(to: digest) || $0 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// Whether a byte may be part of a token: RFC 6750, section 2.1.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "-._~+/=".utf8.contains(byte)
  }
}
