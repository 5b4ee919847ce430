package import LqipSystem

/// The content of a command's output, which determines the allowed file extensions.
package enum OutputContent: CaseIterable, Sendable {
  case records
  /// Placeholders as plain text.
  case lines
  case image
  case images
  case dataURLs
  case page
  case stylesheet

  private var extensions: [String] {
    switch self {
    case .records: ["ndjson", "jsonl", "json", "csv"]
    case .lines, .dataURLs: ["txt"]
    case .image: ["png"]
    case .images: []
    case .page: ["html", "htm"]
    case .stylesheet: ["css"]
    }
  }

  private var rule: String {
    guard self != .images else {
      return "multiple images require an output directory; pass -o DIRECTORY"
    }
    return "unsupported extension; use \(extensions.map { ".\($0)" }.alternatives)"
  }

  /// Rejects an output path with an unsupported extension; `nil` is standard output.
  package func check(_ path: FilePath?) throws(UsageError) {
    guard let path, let dot = path.name.lastIndex(of: UInt8(ascii: ".")),
      dot > path.name.startIndex,
      dot < path.name.endIndex - 1
    else { return }
    let name = String(decoding: path.name[(dot + 1)...], as: UTF8.self).lowercased()
    let kind = (try? FileStatus(of: path, followsLinks: true))?.kind
    guard !extensions.contains(name), kind ?? .regular == .regular else { return }
    throw .conflict("-o \(path): \(rule)")
  }
}
