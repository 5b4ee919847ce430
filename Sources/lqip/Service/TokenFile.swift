package import LqipFiles

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
