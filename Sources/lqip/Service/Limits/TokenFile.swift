package import LqipSystem

/// A file of tokens that can be reloaded while the server runs.
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

  /// Reads the file again; if that fails, the old tokens stay in use.
  package func reload() {
    do {
      let new = try Self.read(path)
      tokens.withLock { $0 = new }
      StandardError.print("\(path): reloaded the tokens")
    } catch {
      StandardError.print("\(path): cannot reload tokens: \(error); kept the old ones")
    }
  }

  /// Whether a request carries one of the tokens.
  func admits(_ head: RequestHead) -> Bool {
    let values = head.fields.filter { $0.name == "authorization" }.map(\.value)
    // Of two fields, something in front of us may have looked at the other.
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
    // Not refused, as secrets are mounted into containers that way.
    if file.status.permissions & S_IROTH != 0 {
      StandardError.print("\(path): warning: tokens are readable by other users; run chmod o-r")
    }
    var reader = LineReader(file.descriptor.number)
    var lines: [[UInt8]] = []
    while let line = try reader.next() { lines.append(line) }
    return lines
  }
}

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

/// Why there are no tokens in a file.
enum TokenListError: Error, Hashable, Sendable {
  case unreadable(SystemError)
  case notRegular
  case empty
  /// A line, counted from 1, that is not a token; its text may be a secret, and is not shown.
  case malformed(line: Int)
}

extension TokenListError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .notRegular: "not a regular file"
    case .empty: "no tokens"
    case .malformed(let line):
      "line \(line): invalid token; use letters, digits and -._~+/= only"
    }
  }
}
