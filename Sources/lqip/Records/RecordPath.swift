package import LqipSystem
import PlaceholderEncoding

/// A path as records write it: its text, and its exact bytes where the text is not enough.
struct RecordPath {
  private static let prefix = "base64:"

  /// The path, in which U+FFFD stands for what is not UTF-8.
  let text: String
  /// The bytes in base64; nil where the text is the path and could not be taken for a key in base64.
  let base64: String?

  init(_ path: FilePath) {
    text = String(decoding: path.bytes, as: UTF8.self)
    let isExact = text.utf8.elementsEqual(path.bytes) && !text.hasPrefix(Self.prefix)
    base64 = isExact ? nil : Base64.encode(path.bytes)
  }

  /// The path as the key of an object: no two paths have the same.
  var key: String {
    base64.map { Self.prefix + $0 } ?? text
  }

  /// The path as members of a record, of which an empty one needs none.
  var members: [JSON.Member] {
    let exact: [JSON.Member] = base64.map { [("path_base64", .string($0))] } ?? []
    return text.isEmpty ? [] : [("path", .string(text))] + exact
  }

  /// The path of a record; nil if its members have none.
  static func path(in members: [JSON.Member]) -> FilePath? {
    func text(_ name: String) -> String? {
      if case .string(let text)? = members.first(where: { $0.name == name })?.value {
        text
      } else {
        nil
      }
    }
    guard let base64 = text("path_base64") else { return text("path").map { FilePath($0) } }
    return Base64.decode(Array(base64.utf8)).map { FilePath($0) }
  }
}

extension FilePath {
  /// The path relative to a directory, both taken by their letters; nil outside it.
  package func relative(to directory: FilePath) -> FilePath? {
    let isAbsolute = bytes.first == Self.separator
    guard isAbsolute == (directory.bytes.first == Self.separator) else { return nil }
    let (names, parents) = (lexicalNames, directory.lexicalNames)
    let isParent: (ArraySlice<UInt8>) -> Bool = { $0.elementsEqual("..".utf8) }
    guard names.starts(with: parents), names.count > parents.count,
      !isParent(names[parents.count])
    else { return nil }
    return FilePath(Array(names.dropFirst(parents.count).joined(separator: [Self.separator])))
  }

  /// The names of the path, with `.` and `..` resolved as far as letters tell.
  private var lexicalNames: [ArraySlice<UInt8>] {
    var names: [ArraySlice<UInt8>] = []
    for name in bytes.split(separator: Self.separator) where !name.elementsEqual(".".utf8) {
      let isParent = name.elementsEqual("..".utf8)
      if isParent, let last = names.last, !last.elementsEqual("..".utf8) {
        names.removeLast()
      } else if !isParent || bytes.first != Self.separator {
        names.append(name)
      }
    }
    return names
  }

  /// The path as that of a URL, with every byte escaped that RFC 3986, section 2.3 reserves.
  package var urlPath: String {
    bytes.map { byte in
      byte.isASCIIAlphanumeric || "-._~/".utf8.contains(byte)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
