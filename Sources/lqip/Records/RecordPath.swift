package import LqipSystem
package import PlaceholderEncoding

/// A path in a record: its text, and its bytes if the text does not represent them exactly.
struct RecordPath {
  static let memberNames = ["path", "path_base64"]
  private static let prefix = "base64:"

  /// The path with invalid UTF-8 replaced by U+FFFD.
  let text: String
  /// The bytes in base64; `nil` if the text represents them exactly and does not begin with `base64:`.
  let base64: String?

  init(_ path: FilePath) {
    text = String(decoding: path.bytes, as: UTF8.self)
    let isExact = text.utf8.elementsEqual(path.bytes) && !text.hasPrefix(Self.prefix)
    base64 = isExact ? nil : Base64.encode(path.bytes)
  }

  /// The path as the key of a JSON object, unique for each path.
  var key: String {
    base64.map { Self.prefix + $0 } ?? text
  }

  /// The record members for the path; none for an empty path.
  var members: [JSON.Member] {
    let exact: [JSON.Member] = base64.map { [("path_base64", .string($0))] } ?? []
    return text.isEmpty ? [] : [("path", .string(text))] + exact
  }

  /// Returns the path of a record, or `nil` if the record contains none.
  static func path(in record: JSON) -> FilePath? {
    guard let base64 = record["path_base64"]?.text else {
      return record["path"]?.text.map { FilePath($0) }
    }
    return Base64.decode(base64.utf8).map { FilePath($0) }
  }
}

extension FilePath {
  /// Creates the path in a record; `nil` if the record contains none.
  package init?(ofRecord record: JSON) {
    guard let path = RecordPath.path(in: record) else { return nil }
    self = path
  }

  /// Returns the path relative to a directory, compared lexically; `nil` if the path is not inside the directory.
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

  /// The components of the path, with `.` and `..` resolved lexically.
  package var lexicalNames: [ArraySlice<UInt8>] {
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
}
