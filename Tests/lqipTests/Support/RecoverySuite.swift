import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

/// A suite that interrupts runs of `encode` with a list of paths and checks their recovery.
protocol RecoverySuite {
  var directory: TemporaryDirectory { get }
  /// The paths of 300 files in byte order, two of them broken.
  var images: [String] { get }
}

extension RecoverySuite {
  static func makeImages(in directory: TemporaryDirectory) throws -> [String] {
    let images = try (100..<400).map { number in
      let isBroken = [103, 350].contains(number)
      return try directory.write("images/\(number).png", isBroken ? [1] : TemporaryDirectory.png)
    }
    try directory.settle()
    return images
  }

  /// The part of the summary about the two broken files.
  static var failed: String { "2 failed (2 unsupported_format)" }

  var draft: String { ".out.ndjson.part" }

  func arguments(_ options: [String] = [], to output: String = "out.ndjson") -> [String] {
    ["encode", "-o", directory.file(output), "-"] + options
  }

  /// Starts a run with some of the images and waits until its draft has a number of lines.
  ///
  /// Records are written to the draft in groups of about 40.
  func begin(
    _ images: some Sequence<String>, _ options: [String] = [], untilLines count: Int
  ) throws -> RunningProgram {
    let program = try RunningProgram(arguments(options))
    try program.send(images)
    try RunningProgram.wait { try lineCount(draft) >= count }
    return program
  }

  func kill(_ program: RunningProgram) throws {
    program.send(signal: SIGKILL)
    #expect(try program.status() == -SIGKILL)
  }

  /// Runs the command with all images and returns the counts.
  func counts(_ options: [String] = ["--update"], to output: String = "out.ndjson") throws -> String
  {
    let run = try Program(arguments(options, to: output), input: images.joined(separator: "\n"))
    #expect(run.status == 1, "\(run.errors)")
    return try #require(run.counts)
  }

  /// Returns the expected counts of an update that reuses the records of these paths.
  func counts(reusing paths: Set<String>) -> String {
    let good = paths.filter { path in !["103.png", "350.png"].contains { path.hasSuffix($0) } }
    return "\(298 - good.count) encoded, \(good.count) reused, \(Self.failed)"
  }

  /// Checks that the output equals that of a single run, and that no hidden files are left.
  func checkComplete() throws {
    _ = try counts([], to: "complete.ndjson")
    #expect(try directory.text(of: "out.ndjson") == directory.text(of: "complete.ndjson"))
    #expect(try hiddenNames == [])
  }

  var hiddenNames: [String] {
    get throws { try directory.names.filter { $0.hasPrefix(".") } }
  }

  /// Returns the number of complete lines in a file; zero if the file does not exist.
  func lineCount(_ name: String) throws -> Int {
    usleep(5000)
    guard let text = try? directory.text(of: name) else { return 0 }
    return text.utf8.count { $0 == UInt8(ascii: "\n") }
  }

  /// Returns the complete lines in a file; none if the file does not exist.
  func lines(_ name: String) throws -> [Substring] {
    guard let text = try? directory.text(of: name) else { return [] }
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  /// Returns the paths of the complete records in a file, as parsed independently.
  func paths(in name: String) throws -> Set<String> {
    let records = try lines(name).map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    return Set(records.compactMap { $0?["path"] as? String })
  }
}
