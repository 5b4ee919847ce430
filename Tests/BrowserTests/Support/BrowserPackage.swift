import Foundation
import PlaceholdersTestSupport

/// The npm package @lqip/browser, which scripts/make-browser builds.
enum BrowserPackage {
  static let directory = Fixtures.repository.appendingPathComponent(".build/browser")

  /// Whether the WebAssembly module exists that the server embeds.
  static let hasModule = FileManager.default.fileExists(
    atPath: Fixtures.repository.appendingPathComponent(".build/embedded/all.wasm.gz").path)

  /// The names of all files.
  static var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path) }
  }

  static func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: directory.appendingPathComponent(name)))
  }
}
