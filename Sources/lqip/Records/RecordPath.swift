internal import LqipFiles
internal import PlaceholderEncoding

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

  /// The path that a key stands for; nil if it is no path's key.
  static func path(ofKey key: [UInt8]) -> FilePath? {
    guard key.starts(with: prefix.utf8) else { return FilePath(key) }
    return Base64.decode(key.dropFirst(prefix.utf8.count)).map(FilePath.init)
  }
}
