import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import lqip

/// A suite that starts runs of `encode` and does not let them end by themselves.
protocol RunsToRecover {
  var directory: TemporaryDirectory { get }
  /// Twelve files, of which numbers 3 and 8 are broken.
  var images: [String] { get }
}

extension RunsToRecover {
  static func makeImages(in directory: TemporaryDirectory) throws -> [String] {
    try (0..<12).map { index in
      let isBroken = [3, 8].contains(index)
      return try directory.write("\(index).png", isBroken ? [1] : TemporaryDirectory.png)
    }
  }

  /// What the two broken files come to in the counts.
  static var failed: String { "2 failed (2 unsupported_format)" }

  func arguments(_ output: String, _ options: [String] = []) -> [String] {
    ["encode", "--progress=always", "-o", directory.file(output), "-"] + options
  }

  /// Starts a run over some of the images, which goes on until the journal has as many lines.
  func begin(
    _ images: some Sequence<String>, to output: String, _ options: [String] = [],
    untilLines count: Int
  ) throws -> RunningProgram {
    let program = try RunningProgram(arguments(output, options))
    try program.send(images)
    try RunningProgram.wait { (try? lineCount(".\(output).journal")) ?? 0 >= count }
    return program
  }

  func kill(_ program: RunningProgram) throws {
    program.end(by: SIGKILL)
    #expect(try program.status() == -SIGKILL)
  }

  /// Runs the command over all images, and gives its counts without the time they took.
  func counts(_ output: String, _ options: [String] = ["--update"]) throws -> String {
    let run = try Program(
      arguments(output, options), input: images.joined(separator: "\n"))
    #expect(run.status == 1)
    return try #require(run.counts)
  }

  /// Compares an output with one that was made in one go, and looks for what was left beside it.
  func checkWhole(_ output: String, _ options: [String] = []) throws {
    let format = output.split(separator: ".").last ?? ""
    _ = try counts("whole.\(format)", options)
    #expect(try directory.text(of: output) == directory.text(of: "whole.\(format)"))
    #expect(try directory.names.filter { $0.hasPrefix(".") } == [])
  }

  /// Many files, in the order in which they are sent.
  func makeCrowd() throws -> [String] {
    try (0..<400).map { try directory.write("crowd/\($0).png") }
  }

  /// How many whole lines a file has.
  func lineCount(_ name: String) throws -> Int {
    try directory.text(of: name).utf8.count { $0 == UInt8(ascii: "\n") }
  }
}
