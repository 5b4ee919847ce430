package import LqipSystem

/// A token file that can be reloaded while the server runs.
package final class TokenFile: Sendable {
  private let path: FilePath
  private let tokens: Monitor<TokenList>

  /// Reads the tokens of an existing file.
  package init(_ path: FilePath) throws(CommandError) {
    self.path = path
    do {
      tokens = Monitor(try TokenList(Self.lines(of: path)))
    } catch {
      throw .failed("\(path): cannot read tokens: \(error)")
    }
  }

  /// Reads the file again and prints the result; after an error, the previous tokens remain valid.
  package func reload() {
    do {
      let new = try TokenList(Self.lines(of: path))
      tokens.withLock { $0 = new }
      StandardError.print("\(path): reloaded the tokens")
    } catch {
      StandardError.print(
        "\(path): cannot reload tokens: \(error); the previous tokens remain valid")
    }
  }

  /// Returns whether a request has a valid bearer token.
  func admits(_ head: RequestHead) -> Bool {
    let values = head.values("authorization")
    // With two fields, a proxy may have checked the other one.
    guard values.count == 1 else { return false }
    let words = values[0].utf8.split(separator: UInt8(ascii: " "))
    guard words.count == 2, String(words[0])?.lowercased() == "bearer" else { return false }
    return tokens.withLock { $0 }.contains(words[1])
  }

  private static func lines(of path: FilePath) throws(TokenListError) -> [[UInt8]] {
    do {
      guard let file = try RegularFile(opening: path, followsLinks: true) else {
        throw TokenListError("not a regular file")
      }
      // Only a warning, because containers often mount secrets with these permissions.
      if file.status.permissions & S_IROTH != 0 {
        StandardError.print(
          "\(path): warning: the file is readable by other users; run 'chmod o-r \(path)'")
      }
      var reader = LineReader(file.descriptor.number)
      var lines: [[UInt8]] = []
      while let line = try reader.next() { lines.append(line) }
      return lines
    } catch {
      throw TokenListError("\(error)")
    }
  }
}

/// The accepted bearer tokens, stored as digests only.
struct TokenList: Sendable {
  private let digests: [SHA256Digest]

  /// Parses the lines of a token file.
  ///
  /// Each line has one token. Blank lines and lines that begin with `#` are ignored.
  ///
  /// - Parameter lines: The lines, without line breaks.
  /// - Throws: A ``TokenListError`` if a line is malformed or no token is found.
  init(_ lines: [[UInt8]]) throws(TokenListError) {
    var digests: [SHA256Digest] = []
    for (index, line) in lines.enumerated() {
      let words = line.split { " \t\r".utf8.contains($0) }
      guard let token = words.first, token.first != UInt8(ascii: "#") else { continue }
      guard words.count == 1, token.allSatisfy(Self.isAllowed) else {
        // The message omits the line, which may be a secret.
        throw TokenListError(
          "line \(index + 1): invalid token; use only letters, digits and -._~+/=")
      }
      digests.append(SHA256Digest(of: Array(token)))
    }
    guard !digests.isEmpty else { throw TokenListError("no tokens") }
    self.digests = digests
  }

  /// Returns whether a token is accepted; the comparison takes constant time.
  func contains(_ token: some Collection<UInt8>) -> Bool {
    let digest = SHA256Digest(of: Array(token))
    return digests.reduce(false) { $1.isEqualInConstantTime(to: digest) || $0 }
  }

  /// Returns whether a byte is allowed in a token: RFC 6750, section 2.1.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "-._~+/=".utf8.contains(byte)
  }
}

/// The reason that a token file cannot be used.
struct TokenListError: Error, Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
