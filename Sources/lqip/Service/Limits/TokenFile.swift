package import LqipSystem

/// A file of bearer tokens that can be reloaded while the server runs; only digests are stored.
package final class TokenFile: Sendable {
  /// The reason that the file cannot be used.
  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let path: FilePath
  private let digests: Monitor<[SHA256Digest]>

  /// Reads the tokens of an existing file.
  package init(_ path: FilePath) throws(CommandError) {
    self.path = path
    digests = Monitor(
      try CommandError.catching({ .failed("\(path): cannot read tokens: \($0)") }) {
        try Self.digests(in: path)
      })
  }

  /// Reads the file again and prints the result; after an error, the previous tokens remain valid.
  package func reload() {
    do {
      let new = try Self.digests(in: path)
      digests.withLock { $0 = new }
      StandardError.print("\(path): reloaded the tokens")
    } catch {
      StandardError.print(
        "\(path): cannot reload tokens: \(error); the previous tokens remain valid")
    }
  }

  /// Returns whether a request has a valid bearer token; the comparison takes constant time.
  func admits(_ head: RequestHead) -> Bool {
    let values = head.values("authorization")
    // With two fields, a proxy may have checked the other one.
    guard values.count == 1 else { return false }
    let words = values[0].utf8.split(separator: UInt8(ascii: " "))
    guard words.count == 2, String(words[0])?.lowercased() == "bearer" else { return false }
    let digest = SHA256Digest(of: Array(words[1]))
    return digests.withLock(\.self).reduce(false) { $1.isEqualInConstantTime(to: digest) || $0 }
  }

  private static func digests(in path: FilePath) throws -> [SHA256Digest] {
    guard let file = try RegularFile(opening: path, followsLinks: true) else {
      throw Failure(description: "not a regular file")
    }
    // Only a warning, because containers often mount secrets with these permissions.
    if file.status.permissions & S_IROTH != 0 {
      StandardError.print(
        "\(path): warning: the file is readable by other users; run 'chmod o-r \(path)'")
    }
    var reader = LineReader(file.descriptor.number)
    var digests: [SHA256Digest] = []
    while let line = try reader.next() {
      if let token = try token(in: line, number: reader.count) {
        digests.append(SHA256Digest(of: token))
      }
    }
    guard !digests.isEmpty else { throw Failure(description: "no tokens") }
    return digests
  }

  /// Returns the token of a line; `nil` if the line is blank or begins with `#`.
  private static func token(in line: [UInt8], number: Int) throws(Failure) -> [UInt8]? {
    let words = line.split { " \t\r".utf8.contains($0) }
    guard let token = words.first, token.first != UInt8(ascii: "#") else { return nil }
    // The allowed bytes are those of RFC 6750, section 2.1.
    let isValid = token.allSatisfy { $0.isASCIIAlphanumeric || "-._~+/=".utf8.contains($0) }
    guard words.count == 1, isValid else {
      // The message omits the line, which may be a secret.
      throw Failure(
        description: "line \(number): invalid token; use only letters, digits and -._~+/=")
    }
    return Array(token)
  }
}
