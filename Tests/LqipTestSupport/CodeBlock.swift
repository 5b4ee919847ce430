import Foundation
import PlaceholdersTestSupport

/// A fenced code block in a Markdown file of the repository.
package struct CodeBlock: Sendable {
  /// The path of the Markdown file, relative to the repository.
  package let page: String
  /// The line number of the block's opening fence.
  package let line: Int
  package let language: String
  /// The file name after the language in the opening fence; empty if missing.
  package let name: String
  package let text: String

  package init(page: String, line: Int, language: String, name: String, text: String) {
    self.page = page
    self.line = line
    self.language = language
    self.name = name
    self.text = text
  }

  /// Returns the code blocks of a page, from top to bottom.
  package static func all(in page: String) throws -> [CodeBlock] {
    let text = try String(
      contentsOf: Fixtures.repository.appendingPathComponent(page), encoding: .utf8)
    var blocks: [CodeBlock] = []
    var opening: (line: Int, info: [String])?
    var body = ""
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if let (first, info) = opening {
        guard line == "```" else {
          body += line + "\n"
          continue
        }
        blocks.append(
          CodeBlock(
            page: page, line: first, language: info.first ?? "",
            name: info.dropFirst().first ?? "", text: body))
        (opening, body) = (nil, "")
      } else if line.hasPrefix("```") {
        opening = (index + 1, line.dropFirst(3).components(separatedBy: " "))
      }
    }
    return blocks
  }

  /// The paths of the Markdown files whose code blocks are tested.
  package static let pages: [String] = {
    let fixed = [
      "README.md", "CONTRIBUTING.md", "SECURITY.md", "Packaging/README.md",
      "Examples/spark/README.md",
    ]
    let folder = Fixtures.repository.appendingPathComponent("Documentation").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return fixed + names.filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/\($0)" }
  }()
}
