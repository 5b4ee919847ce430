package import LqipFiles

extension FilePath {
  /// The path as it is from a directory on; itself where it does not lie in it, by the letters of both.
  func relative(to base: FilePath?) -> FilePath {
    guard let base else { return self }
    let (own, start) = (names, base.names)
    let isAbsolute = bytes.first == Self.separator
    guard isAbsolute == (base.bytes.first == Self.separator), own.starts(with: start),
      own.count > start.count
    else { return self }
    return FilePath(Array(own.dropFirst(start.count).joined(separator: [Self.separator])))
  }

  /// Whether the path lies in a directory or holds it, by the letters of both.
  package func isRelated(to directory: FilePath) -> Bool {
    let (own, other) = (names, directory.names)
    return (bytes.first == Self.separator) == (directory.bytes.first == Self.separator)
      && (own.starts(with: other) || other.starts(with: own))
  }

  private var names: [ArraySlice<UInt8>] {
    bytes.split(separator: Self.separator).filter { !$0.elementsEqual(".".utf8) }
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
