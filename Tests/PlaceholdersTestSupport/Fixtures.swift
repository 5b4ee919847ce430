package import Foundation

/// The committed images, and the tables of results from independent programs.
package enum Fixtures {
  /// The directory of the images.
  package static let directory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Images")

  /// The root of the repository.
  package static let repository = directory.deletingLastPathComponent().deletingLastPathComponent()

  /// The absolute path of a fixture.
  package static func path(_ name: String) -> String {
    directory.appendingPathComponent(name).path
  }

  /// The bytes of a fixture.
  package static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: directory.appendingPathComponent(name)))
  }

  /// The sorted names of the valid PNG and JPEG images with a prefix.
  package static func names(startingWith prefix: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted().filter { name in
      name.hasPrefix(prefix) && (name.hasSuffix(".png") || name.hasSuffix(".jpg"))
    }
  }

  /// The rows of a table, as dictionaries from column name to cell.
  package static func table(_ name: String) throws -> [[String: String]] {
    let lines = String(decoding: try bytes(name), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    guard let columns = lines.first else { return [] }
    return lines.dropFirst().map { cells in
      Dictionary(uniqueKeysWithValues: zip(columns.map(String.init), cells.map(String.init)))
    }
  }
}
