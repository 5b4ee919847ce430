import Foundation
import PlaceholdersTestSupport
import Testing

/// Hugo, installed by scripts/test-tools.
enum Hugo {
  private static let executable = Fixtures.directory.deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent(".build/hugo/hugo")

  static let isInstalled = FileManager.default.isExecutableFile(atPath: executable.path)

  /// Builds a site into a directory; warnings are errors.
  static func build(_ source: TemporaryDirectory, into destination: String) throws {
    let log = try source.write("log", [])
    let process = Process()
    process.executableURL = executable
    process.arguments = [
      "--source", source.path, "--destination", destination,
      "--cacheDir", source.file("cache"), "--panicOnWarning",
    ]
    process.standardOutput = FileHandle(forWritingAtPath: log)
    process.standardError = process.standardOutput
    try process.run()
    let watchdog = Watchdog(process, seconds: 60)
    process.waitUntilExit()
    withExtendedLifetime(watchdog) {}
    let text = try source.text(of: "log")
    try #require(process.terminationStatus == 0, "\(text)")
  }
}
