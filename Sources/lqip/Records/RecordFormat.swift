internal import LqipFiles

/// The form in which records are written.
package enum RecordFormat: String, CaseIterable, Sendable {
  /// A JSON object per line.
  case ndjson
  /// One JSON object, which has the paths as its keys.
  case json
  /// A row per record, after a row of names.
  case csv

  /// The format that a file's extension stands for, if it does for any.
  init?(extensionOf path: FilePath) {
    guard let dot = path.name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    switch String(decoding: path.name[(dot + 1)...], as: UTF8.self).lowercased() {
    case "ndjson", "jsonl": self = .ndjson
    case "json": self = .json
    case "csv": self = .csv
    default: return nil
    }
  }
}
