package import LqipSystem

/// The URL of a site's root directory, which maps addresses in pages to files.
///
/// Source: URL Standard (https://url.spec.whatwg.org), for URLs with the scheme `https`.
package struct SiteAddress: Hashable, Sendable {
  /// The host in lower case, with its port; `nil` if it is unknown.
  private let host: [UInt8]?
  /// The components of the path, percent-encoded.
  private let names: [[UInt8]]
  /// The path of the root, which begins and ends with a slash.
  package let path: String

  /// Parses a path such as `/blog/`, or a URL such as `https://example.org/blog/`; `nil` if it is neither.
  package init?(_ text: String) {
    let parts = Self.split(Array(text.utf8))
    let isText = parts?.path.allSatisfy { $0 > 0x20 && !"?#\"'<>&".utf8.contains($0) } ?? false
    guard let (host, path) = parts, isText, path.first == Self.slash, path.last == Self.slash
    else { return nil }
    self.init(
      host: host, names: Self.names(in: path.dropFirst(), below: []).dropLast(),
      path: String(decoding: path, as: UTF8.self))
  }

  /// The root of a server.
  package static let root = SiteAddress(host: nil, names: [], path: "/")

  private init(host: [UInt8]?, names: [[UInt8]], path: String) {
    (self.host, self.names, self.path) = (host, names, path)
  }

  private static let slash = UInt8(ascii: "/")

  /// Returns the file, relative to the root, to which an address on a page refers; `nil` if that is outside the site.
  ///
  /// `base` is the `href` of the page's `<base>`.
  package func file(_ address: [UInt8], on page: FilePath, base: [UInt8]?) -> FilePath? {
    let folders = page.directory.bytes.parts(separatedBy: [UInt8(ascii: "%")]).joined(
      separator: Array("%25".utf8))
    var directory: [[UInt8]]? = names + folders.split(separator: Self.slash).map { Array($0) }
    if let base, !base.isEmpty { directory = resolve(base, in: directory)?.dropLast() }
    // The parser replaces bytes that are not UTF-8, such as letters in Latin-1, by U+FFFD.
    guard address.firstRange(of: [0xEF, 0xBF, 0xBD]) == nil,
      let target = resolve(address, in: directory), target.starts(with: names)
    else { return nil }
    let decoded = target.dropFirst(names.count).map { $0.percentDecoded() }
    guard decoded.last?.isEmpty == false,
      decoded.allSatisfy({ !$0.contains(0) && !$0.contains(Self.slash) })
    else { return nil }
    return FilePath(Array(decoded.joined(separator: [Self.slash])))
  }

  /// Returns the components of an address's path, the last of which is empty for a directory; `nil` for another host or
  /// scheme, or without a path.
  private func resolve(_ address: [UInt8], in directory: [[UInt8]]?) -> [[UInt8]]? {
    guard let (host, path) = Self.split(Self.cleaned(address)), !path.isEmpty else { return nil }
    if let host {
      guard host == self.host else { return nil }
      return Self.names(in: path.dropFirst(), below: [])
    }
    guard let directory else { return nil }
    return path.first == Self.slash
      ? Self.names(in: path.dropFirst(), below: []) : Self.names(in: path[...], below: directory)
  }

  /// Returns an address without its query, its fragment and what browsers ignore.
  private static func cleaned(_ address: [UInt8]) -> [UInt8] {
    let start = address.drop { $0 <= 0x20 }
    let end = start.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start.startIndex
    return start[..<end].prefix { !"?#".utf8.contains($0) }.compactMap {
      switch $0 {
      case 0x09, 0x0A, 0x0D: nil
      case UInt8(ascii: "\\"): slash
      default: $0
      }
    }
  }

  /// Splits an address into its host, if any, and its path; returns `nil` for a scheme besides `http` and `https`.
  private static func split(_ address: [UInt8]) -> (host: [UInt8]?, path: [UInt8])? {
    var rest = address[...]
    let scheme = rest.prefix { $0.isASCIIAlphanumeric || "+-.".utf8.contains($0) }
    if scheme.endIndex < rest.endIndex, rest[scheme.endIndex] == UInt8(ascii: ":"), !scheme.isEmpty
    {
      guard ["http", "https"].contains(String(decoding: scheme, as: UTF8.self).lowercased()) else {
        return nil
      }
      rest = rest[(scheme.endIndex + 1)...]
      guard rest.starts(with: [slash, slash]) else { return nil }
    }
    guard rest.starts(with: [slash, slash]) else { return (nil, Array(rest)) }
    let host = rest.dropFirst(2).prefix { $0 != slash }
    let path = Array(rest[host.endIndex...])
    return (
      Array(String(decoding: host, as: UTF8.self).lowercased().utf8), path.isEmpty ? [slash] : path
    )
  }

  /// Appends the components of a path to those of a directory, and resolves `.` and `..`.
  private static func names(in path: ArraySlice<UInt8>, below directory: [[UInt8]]) -> [[UInt8]] {
    var names = directory
    let parts = path.split(separator: slash, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let name = part.percentDecoded()
      let isDot = name == Array(".".utf8)
      if name == Array("..".utf8) {
        _ = names.popLast()
      } else if !isDot, !part.isEmpty || isLast {
        names.append(Array(part))
        continue
      }
      if isLast { names.append([]) }
    }
    return names
  }
}
