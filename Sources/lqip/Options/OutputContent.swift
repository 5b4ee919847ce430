package import LqipFiles

/// What a command writes, for which some names are surely a mistake.
package enum OutputContent: CaseIterable, Sendable {
  case records
  case summary
  case image
  case images
  case dataURLs
  case page
  case stylesheet

  /// Names that promise something in particular; nothing is said of any other, such as .txt.
  private static let knownExtensions: Set = [
    "apng", "avif", "bmp", "css", "csv", "gif", "heic", "htm", "html", "jfif", "jpe", "jpeg", "jpg",
    "js", "json", "jsonl", "jxl", "ndjson", "png", "svg", "tif", "tiff", "webp",
  ]

  /// The known extensions that are right.
  private var extensions: Set<String> {
    switch self {
    case .records: ["ndjson", "jsonl", "json", "csv"]
    case .summary: ["json"]
    case .image: ["png"]
    case .images, .dataURLs: []
    case .page: ["html", "htm"]
    case .stylesheet: ["css"]
    }
  }

  /// Completes the sentence "-o FILE: …".
  private var rule: String {
    switch self {
    case .records: "records are written as .ndjson, .json or .csv"
    case .summary: "the counts are written as .json"
    case .image: "an image is written as .png"
    case .images: "several images are written into a directory, as 1.png and so on"
    case .dataURLs: "data URLs are written as text"
    case .page: "the page is written as .html"
    case .stylesheet: "a stylesheet is written as .css"
    }
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
    throw .conflict("\(option) \(path): \(rule)")
  }
}
