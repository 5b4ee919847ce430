import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// Hugo, installed by scripts/test-tools.
enum Hugo {
  private static let executable = Fixtures.repository.appendingPathComponent(".build/hugo/hugo")

  static let isInstalled = FileManager.default.isExecutableFile(atPath: executable.path)

  /// Builds a site into a directory; warnings are errors.
  static func build(_ source: TemporaryDirectory, into destination: String) throws {
    let run = try Program(
      [
        "--source", source.path, "--destination", destination,
        "--cacheDir", source.file("cache"), "--panicOnWarning",
      ], of: executable.path)
    try #require(run.status == 0, "\(run.lines) \(run.errors)")
  }
}
