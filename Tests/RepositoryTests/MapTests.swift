import Foundation
import Testing

/// The map of folders in CONTRIBUTING.md.
@Suite struct MapTests {
  /// The folders that the map lists by their subfolders.
  private static let opened = ["Sources", "Sources/lqip", "Tests"]
  /// Folders that git ignores.
  private static let ignored = ["demo"]

  private func folders(in path: String) throws -> [String] {
    let root = Repository.root.appendingPathComponent(path)
    return try FileManager.default.contentsOfDirectory(
      at: root, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles
    ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
      .map { path.isEmpty ? $0.lastPathComponent : "\(path)/\($0.lastPathComponent)" }
      .filter { !Self.ignored.contains($0) }
      .flatMap { Self.opened.contains($0) ? try folders(in: $0) : [$0] }
  }

  @Test func `the folder map lists every folder, and only existing folders`() throws {
    let rows = try Repository.lines(of: "CONTRIBUTING.md")
      .drop { $0 != "| folder | contents |" }.prefix { $0.hasPrefix("|") }
    let listed = rows.compactMap { $0.firstMatch(of: /^\| `([^`]+)` \|/).map { String($0.1) } }
    #expect(listed.sorted() == (try folders(in: "").sorted()))
  }
}
