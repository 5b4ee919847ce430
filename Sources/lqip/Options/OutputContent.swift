package import LqipFiles

/// What a command writes, for which some names are surely a mistake.
package enum OutputContent: CaseIterable, Sendable {
  case records
  /// Records whose format was chosen, whatever the name of the file.
  case formattedRecords
  /// Placeholders without a record around them.
  case lines
  case summary
  case image
  case images
  case dataURLs
  case page
  case stylesheet

  /// Names that promise something in particular; any other is accepted, such as .tmp.
  private static let knownExtensions = compressedExtensions.union([
    "apng", "arrow", "avif", "avro", "bmp", "css", "csv", "db", "gif", "heic", "htm", "html",
    "jfif",
    "jpe", "jpeg", "jpg", "js", "json", "jsonl", "jxl", "md", "ndjson", "parquet", "pdf", "png",
    "sqlite", "sqlite3", "svg", "tar", "tif", "tiff", "toml", "tsv", "txt", "webp", "xls", "xlsx",
    "xml", "yaml", "yml",
  ])

  /// Names of compressed files, which a filter writes.
  private static let compressedExtensions: Set = [
    "7z", "br", "bz2", "gz", "lz4", "tgz", "xz", "zip", "zst",
  ]

  /// The known extensions that are right.
  private var extensions: [String] {
    switch self {
    case .records: ["ndjson", "jsonl", "json", "csv"]
    case .formattedRecords: ["ndjson", "jsonl", "json", "csv", "txt"]
    case .lines: ["txt"]
    case .summary: ["json"]
    case .image: ["png"]
    case .images: []
    case .dataURLs: ["txt"]
    case .page: ["html", "htm"]
    case .stylesheet: ["css"]
    }
  }

  /// Completes the sentence "-o FILE: …".
  private func rule(against name: String) -> String {
    guard self != .images else {
      return "several images require a directory; pass -o DIRECTORY"
    }
    let names = extensions.map { ".\($0)" }
    let others = names.dropLast().joined(separator: ", ")
    let allowed = "use \(others)\(others.isEmpty ? "" : " or ")\(names.last ?? "")"
    return Self.compressedExtensions.contains(name)
      ? "output is not compressed; \(allowed), or pipe it through a compressor"
      : "unsupported extension; \(allowed)"
  }

  private static func isDirectory(_ path: FilePath) -> Bool {
    (try? FileStatus(of: path, followsLinks: true).kind) == .directory
  }

  /// Refuses a name that promises something else.
  ///
  /// - Parameters:
  ///   - path: The name, if there is one.
  ///   - option: The option that it is the value of.
  /// - Throws: What is written.
  package func check(_ path: FilePath?, option: String = "-o") throws(UsageError) {
    guard let path, !(self == .images && Self.isDirectory(path)),
      let dot = path.name.lastIndex(of: UInt8(ascii: "."))
    else { return }
    let name = String(decoding: path.name[(dot + 1)...], as: UTF8.self).lowercased()
    guard dot > path.name.startIndex, Self.knownExtensions.contains(name),
      !extensions.contains(name)
    else { return }
    throw .conflict("\(option) \(path): \(rule(against: name))")
  }
}
