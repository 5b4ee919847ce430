import Foundation
import Testing

@Suite struct LinkTests {
  /// Returns every Markdown file except the articles of the libraries, which `scripts/make-docs` checks.
  private func pages() throws -> [String] {
    let files = FileManager.default.enumerator(
      at: Repository.root, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    let paths = (files?.allObjects as? [URL] ?? []).map(\.standardized.path)
    let count = Repository.root.standardized.path.count + 1
    return paths.filter { $0.hasSuffix(".md") && !$0.contains(".docc/") }
      .map { String($0.dropFirst(count)) }.sorted()
  }

  /// Returns the anchors of the headings of a page.
  private func anchors(of page: String) throws -> Set<String> {
    Set(
      try Repository.lines(of: page).filter { $0.hasPrefix("#") }.map { line in
        line.drop { "# ".contains($0) }.lowercased()
          .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
          .replacingOccurrences(of: " ", with: "-")
      })
  }

  /// Returns the targets of links and pictures outside code blocks.
  private func targets(in page: String) throws -> [String] {
    var isCode = false
    let text = try Repository.lines(of: page).filter { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode && !line.hasPrefix("    ")
    }.joined(separator: "\n")
    return text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
  }

  @Test func `every link in a Markdown page leads to an existing file or heading`() throws {
    let pages = try pages()
    try #require(pages.contains("README.md"))
    var count = 0
    for page in pages {
      let folder = NSString(string: page).deletingLastPathComponent
      for target in try targets(in: page) where !target.contains("://") {
        let parts = target.components(separatedBy: "#")
        let path =
          parts[0].isEmpty ? page : NSString(string: folder).appendingPathComponent(parts[0])
        let file = Repository.root.appendingPathComponent(path).standardized
        #expect(FileManager.default.fileExists(atPath: file.path), "\(page): \(target)")
        if parts.count > 1, path.hasSuffix(".md") {
          let name = String(file.path.dropFirst(Repository.root.standardized.path.count + 1))
          #expect(try anchors(of: name).contains(parts[1]), "\(page): \(target)")
        }
        count += 1
      }
    }
    #expect(count > 20)
  }
}
