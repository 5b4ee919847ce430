import Foundation
import Testing

/// The folder table in CONTRIBUTING.md.
@Suite struct FolderTableTests {
  /// Folders whose subfolders the table lists.
  private static let expanded = ["Sources", "Sources/lqip", "Tests"]
  /// Folders that git ignores.
  private static let ignored = ["demo"]

  private func folders(in path: String) throws -> [String] {
    let root = Repository.root.appendingPathComponent(path)
    return try FileManager.default.contentsOfDirectory(
      at: root, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles
    ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
      .map { path.isEmpty ? $0.lastPathComponent : "\(path)/\($0.lastPathComponent)" }
      .filter { !Self.ignored.contains($0) }
      .flatMap { Self.expanded.contains($0) ? try folders(in: $0) : [$0] }
  }

  @Test func `the folder table in CONTRIBUTING.md lists exactly the existing folders`() throws {
    let rows = try Repository.lines(of: "CONTRIBUTING.md")
      .drop { $0 != "| folder | contents |" }.prefix { $0.hasPrefix("|") }
    let listed = rows.compactMap { $0.firstMatch(of: /^\| `([^`]+)` \|/).map { String($0.1) } }
    #expect(listed.sorted() == (try folders(in: "").sorted()))
  }
}
