import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// Access to the files and executables of the repository.
enum Repository {
  static let root = Fixtures.repository

  /// Returns the lines of a file.
  static func lines(of path: String) throws -> [String] {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      .components(separatedBy: "\n")
  }

  /// Runs an executable in the root of the repository.
  ///
  /// - Parameters:
  ///   - executable: The file to run.
  ///   - arguments: The arguments.
  ///   - path: A directory to put first on `PATH`.
  /// - Returns: The standard output without surrounding line feeds.
  /// - Throws: An error if the executable cannot be started or fails.
  static func run(_ executable: URL, _ arguments: [String], path: String? = nil) throws -> String {
    // If `make` runs the tests, its variables would affect this executable.
    var environment = ["MAKEFLAGS": "", "MAKEOVERRIDES": ""]
    if let path {
      environment["PATH"] = "\(path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    }
    let run = try Program(
      arguments, of: executable.path, environment: environment, directory: root.path)
    try #require(run.status == 0, "\(executable.path) \(arguments): \(run.errors)")
    return String(decoding: run.output, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
