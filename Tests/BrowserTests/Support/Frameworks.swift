import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// React, Babel and Vue, installed by scripts/test-tools.
enum Frameworks {
  static let names = [
    "babel.min.js", "react.production.min.js", "react-dom.production.min.js", "vue.min.js",
  ]

  static let isInstalled = names.allSatisfy { (try? script($0)) != nil }

  static func script(_ name: String) throws -> String {
    let file = Fixtures.repository.appendingPathComponent(".build/frameworks/\(name)")
    return try String(contentsOf: file, encoding: .utf8)
  }
}

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
