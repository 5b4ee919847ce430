package import LqipFiles

extension FilePath {
  /// The path as it is from a directory on, by the letters of both.
  ///
  /// No two files have the same: what does not lie in the directory has a path that begins with a slash,
  /// `./` or `..`.
  func relative(to base: FilePath?) -> FilePath {
    guard let base else { return self }
    if let names = names(below: base) { return Self.joined(names) }
    let path = Self.joined(names)
    if isAbsolute { return FilePath([Self.separator]) + path.bytes }
    return leadsOut ? path : FilePath("./") + path.bytes
  }

  /// Whether the path lies in a directory, by the letters of both.
  func lies(below directory: FilePath) -> Bool {
    names(below: directory) != nil
  }

  /// Whether the path is a directory, lies in it or holds it, by the letters of both.
  package func isRelated(to directory: FilePath) -> Bool {
    isAbsolute == directory.isAbsolute && names == directory.names
      || lies(below: directory) || directory.lies(below: self)
  }

  /// Whether the path begins at the root, or leads out of the current directory by its letters.
  var leavesWorkingDirectory: Bool {
    isAbsolute || leadsOut
  }

  private var isAbsolute: Bool {
    bytes.first == Self.separator
  }

  private var leadsOut: Bool {
    names.first.map(Self.isParent) ?? false
  }

  /// The names on the way from a directory; nil where it does not lead down.
  private func names(below directory: FilePath) -> ArraySlice<ArraySlice<UInt8>>? {
    let (own, start) = (names, directory.names)
    guard isAbsolute == directory.isAbsolute, own.starts(with: start),
      let first = own.dropFirst(start.count).first, !Self.isParent(first)
    else { return nil }
    return own.dropFirst(start.count)
  }

  /// The names from the root or from the current directory on, in which `..` comes only at the beginning.
  private var names: [ArraySlice<UInt8>] {
    var names: [ArraySlice<UInt8>] = []
    for name in bytes.split(separator: Self.separator) where !name.elementsEqual(".".utf8) {
      if !Self.isParent(name) {
        names.append(name)
      } else if let last = names.last, !Self.isParent(last) {
        names.removeLast()
      } else if !isAbsolute {
        names.append(name)
      }
    }
    return names
  }

  private static func isParent(_ name: ArraySlice<UInt8>) -> Bool {
    name.elementsEqual("..".utf8)
  }

  private static func joined(_ names: some Sequence<ArraySlice<UInt8>>) -> FilePath {
    FilePath(Array(names.joined(separator: [separator])))
  }

  /// The path as that of a URL: all is escaped but what RFC 3986, section 2.3 leaves without a meaning.
  package var urlPath: String {
    bytes.map { byte in
      byte.isASCIIAlphanumeric || "-._~/".utf8.contains(byte)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
