package import Foundation
import PlaceholdersTestSupport

/// A completed run of the built program or of another tool.
package struct Program {
  package let status: Int32
  package let output: [UInt8]
  package let errors: String

  /// Runs the program and waits until it exits.
  package init(
    _ arguments: String..., input: String = "", output redirected: FileHandle? = nil
  ) throws {
    try self.init(arguments, input: input, output: redirected)
  }

  /// Runs the program, or a tool on `PATH`, in a directory and waits until it exits.
  package init(
    _ arguments: [String], of tool: String? = nil, input: String = "", bytes: [UInt8]? = nil,
    output redirected: FileHandle? = nil, environment: [String: String] = [:],
    directory: String? = nil
  ) throws {
    let scratch = TemporaryDirectory()
    let inputFile = try scratch.write("in", bytes ?? Array(input.utf8))
    let outputFile = try scratch.write("out", [])
    let errorFile = try scratch.write("err", [])
    let process = Process()
    process.executableURL = tool == nil ? Self.executable : URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = (tool.map { [$0] } ?? []) + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
    process.standardInput = FileHandle(forReadingAtPath: inputFile)
    process.standardOutput = redirected ?? FileHandle(forWritingAtPath: outputFile)
    process.standardError = FileHandle(forWritingAtPath: errorFile)
    try process.run()
    process.waitUntilExit()
    // A negative status is a signal number; exit codes are never negative.
    status =
      process.terminationReason == .exit
      ? process.terminationStatus : -process.terminationStatus
    output = Array(try Data(contentsOf: URL(fileURLWithPath: outputFile)))
    errors = try scratch.text(of: "err")
  }

  /// The non-empty lines of standard output.
  package var lines: [String] {
    String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The counts in the summary, without the duration.
  package var counts: String? {
    let lines = errors.split(separator: "\n")
    let line = lines.last { $0.hasPrefix("lqip: ") && $0.contains(" encoded, ") }
    return line?.split(separator: " in ").first.map { String($0.dropFirst("lqip: ".count)) }
  }

  /// The records of the output, parsed by an independent JSON parser.
  package var records: [[String: Any]] {
    get throws {
      try lines.map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return object as? [String: Any] ?? [:]
      }
    }
  }

  /// The paths of the records.
  package var paths: [String] {
    get throws { try records.compactMap { $0["path"] as? String } }
  }

  /// The error codes of the records; nil for an encoded image.
  package var codes: [String?] {
    get throws { try records.map { ($0["error"] as? [String: Any])?["code"] as? String } }
  }

  /// The built program, next to the test bundle.
  package static var executable: URL {
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let bundle = bundles.first ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return bundle.deletingLastPathComponent().appendingPathComponent("lqip")
  }
}
