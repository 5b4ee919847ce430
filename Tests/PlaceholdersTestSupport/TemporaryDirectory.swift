import Foundation

/// A temporary directory, removed with its contents on deinitialization.
package final class TemporaryDirectory: Sendable {
  /// A PNG image of 3x2 pixels, all #336699.
  package static let png = Array(
    Data(
      base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGMwTpsJQQxw"
        + "FgBFaActhtF1TgAAAABJRU5ErkJggg==") ?? Data())

  package let path: String

  package init() {
    path = NSTemporaryDirectory() + "lqip-tests-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("cannot create a temporary directory: \(error)")
    }
  }

  deinit {
    // Foundation uses absolute paths, which fail in deep directories above the maximum path length.
    if (try? FileManager.default.removeItem(atPath: path)) == nil {
      let removal = try? Process.run(URL(fileURLWithPath: "/bin/rm"), arguments: ["-rf", path])
      removal?.waitUntilExit()
    }
  }

  /// The sorted names of all entries, including hidden ones.
  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// The absolute path of an entry.
  package func file(_ name: String) -> String {
    "\(path)/\(name)"
  }

  /// Creates an empty directory.
  package func makeDirectory(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    return file(name)
  }

  /// Creates a symbolic link.
  package func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
  }

  /// Writes a file, and creates its parent directories.
  @discardableResult
  package func write(_ name: String, _ content: [UInt8] = png) throws -> String {
    let url = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(content).write(to: url)
    return file(name)
  }

  /// Reads a file as text.
  package func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: file(name))), as: UTF8.self)
  }
}
