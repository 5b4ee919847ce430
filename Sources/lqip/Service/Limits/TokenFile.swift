package import LqipSystem

/// A token file that can be reloaded while the server runs.
package final class TokenFile: Sendable {
  private let path: FilePath
  private let tokens: Monitor<TokenList>

  /// Reads the file.
  package init(_ path: FilePath) throws(CommandError) {
    self.path = path
    do {
      tokens = Monitor(try Self.read(path))
    } catch {
      throw .failed("\(path): cannot read tokens: \(error)")
    }
  }

  /// Reads the file again; if this fails, the previous tokens remain valid.
  package func reload() {
    do {
      let new = try Self.read(path)
      tokens.withLock { $0 = new }
      StandardError.print("\(path): reloaded the tokens")
    } catch {
      StandardError.print(
        "\(path): cannot reload tokens: \(error); the previous tokens remain valid")
    }
  }

  /// Returns whether a request has a valid bearer token.
  func admits(_ head: RequestHead) -> Bool {
    let values = head.fields.filter { $0.name == "authorization" }.map(\.value)
    // With two fields, a proxy may have checked the other one.
    guard values.count == 1 else { return false }
    let words = values[0].utf8.split(separator: UInt8(ascii: " "))
    guard words.count == 2, String(words[0])?.lowercased() == "bearer" else { return false }
    return tokens.withLock { $0 }.contains(words[1])
  }

  private static func read(_ path: FilePath) throws(TokenListError) -> TokenList {
    let lines: [[UInt8]]?
    do {
      lines = try Self.lines(of: path)
    } catch {
      throw .unreadable(error)
    }
    guard let lines else { throw .notRegular }
    return try TokenList(lines)
  }

  private static func lines(of path: FilePath) throws(SystemError) -> [[UInt8]]? {
    guard let file = try RegularFile(opening: path, followsLinks: true) else { return nil }
    // Only a warning, because containers often mount secrets with these permissions.
    if file.status.permissions & S_IROTH != 0 {
      StandardError.print(
        "\(path): warning: the file is readable by other users; run 'chmod o-r \(path)'")
    }
    var reader = LineReader(file.descriptor.number)
    var lines: [[UInt8]] = []
    while let line = try reader.next() { lines.append(line) }
    return lines
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

  /// Returns whether a token is accepted; the comparison takes constant time.
  func contains(_ token: some Collection<UInt8>) -> Bool {
    let digest = SHA256Digest(of: Array(token))
    return digests.reduce(false) { $1.isEqualInConstantTime(to: digest) || $0 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// Returns whether a byte is allowed in a token: RFC 6750, section 2.1.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "-._~+/=".utf8.contains(byte)
  }
}

/// An error in a token file.
enum TokenListError: Error, Hashable, Sendable {
  case unreadable(SystemError)
  case notRegular
  case empty
  /// An invalid token on a line, counted from 1.
  ///
  /// The text of the line may be a secret, so the error omits it.
  case malformed(line: Int)
}

extension TokenListError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .notRegular: "not a regular file"
    case .empty: "no tokens"
    case .malformed(let line):
      "line \(line): invalid token; use only letters, digits and -._~+/="
    }
  }
}
