import Foundation
import Testing

/// Access to the files and executables of the repository.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

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
  static func run(
    _ executable: URL, _ arguments: [String], path: String? = nil
  ) throws -> String {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = root
    var environment = ProcessInfo.processInfo.environment
    // If `make` runs the tests, its variables would affect this executable.
    environment["MAKEFLAGS"] = nil
    environment["MAKEOVERRIDES"] = nil
    if let path { environment["PATH"] = "\(path):\(environment["PATH"] ?? "")" }
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(executable.path) \(arguments)")
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
