import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import lqip

/// What becomes of a run of `encode` that a signal ends.
@Suite struct EncodeInterruptionTests: RunsToRecover {
  let directory: TemporaryDirectory
  let images: [String]

  init() throws {
    directory = try TemporaryDirectory()
    images = try Self.makeImages(in: directory)
  }

  private func whatIsDone(_ count: String, in output: String) -> String {
    "lqip: interrupted after \(count), written to \(directory.file(output)), from which --update "
      + "resumes\n"
  }

  @Test func `a quiet update that a signal ends tells what is done`() throws {
    let program = try begin(images.prefix(1), to: "out", ["--update", "--quiet"], untilLines: 1)
    program.end(by: SIGTERM)
    #expect(try program.status() == 143)
    #expect(try program.errors == whatIsDone("1 new record", in: "out"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], RecordFormat.allCases)
  func `a signal ends a run with a valid output of what was done`(
    signal: Int32, format: RecordFormat
  ) throws {
    let output = "out.\(format)"
    let program = try begin(images.prefix(5), to: output, ["--partial"], untilLines: 5)
    program.end(by: signal)
    #expect(try program.status() == 128 + signal)
    #expect(try program.errors.hasPrefix(whatIsDone("5 new records", in: output)))
    #expect(
      try program.errors.contains("\nlqip: 4 encoded, 1 failed (1 unsupported_format), partial in ")
    )
    #expect(try directory.names.filter { $0.hasPrefix(".") } == [])
    let whole = try Program(
      ["encode", "-o", directory.file("five.\(format)")] + images.prefix(5))
    #expect(whole.status == 1)
    #expect(try directory.text(of: output) == directory.text(of: "five.\(format)"))
    #expect(try counts(output) == "6 encoded, 4 reused, \(Self.failed)")
    try checkWhole(output)
  }

  @Test(arguments: RecordFormat.allCases)
  func `a signal leaves the records that an update did not come to`(
    format: RecordFormat
  ) throws {
    let output = "out.\(format)"
    _ = try counts(output)
    for index in [0, 4, 10] { try directory.setModified("\(index).png", 1_000_000_000) }
    let program = try begin(
      images.prefix(5), to: output, ["--update"], untilLines: 2)
    program.end(by: SIGINT)
    #expect(try program.status() == 130)
    #expect(try program.errors.hasPrefix(whatIsDone("2 new records", in: output)))
    #expect(
      try program.errors.contains(
        "\nlqip: 2 encoded, 2 reused, 1 failed (1 unsupported_format), partial in "))
    // Of all records, that of the one image that changed unseen does not hold.
    #expect(try counts(output) == "1 encoded, 9 reused, \(Self.failed)")
    try checkWhole(output)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `without an update, a signal leaves the old output and what was done`(signal: Int32) throws {
    try directory.write("out", Array("{\n}\n".utf8))
    let program = try begin(images.prefix(5), to: "out", untilLines: 5)
    program.end(by: signal)
    #expect(try program.status() == 128 + signal)
    #expect(
      try program.errors.contains("is unchanged; --update resumes from the finished records in"))
    #expect(try directory.text(of: "out") == "{\n}\n")
    #expect(try counts("out") == "6 encoded, 4 reused, \(Self.failed)")
    try checkWhole("out")
  }

  @Test func `a signal after a kill loses nothing that either had done`() throws {
    try kill(try begin(images.prefix(8), to: "out", untilLines: 8))
    let program = try begin(
      images.prefix(2) + images.suffix(1), to: "out", ["--update"], untilLines: 9)
    program.end(by: SIGTERM)
    #expect(try program.status() == 143)
    #expect(try directory.text(of: "out").split(separator: "\n").count == 3)
    #expect(try counts("out") == "2 encoded, 8 reused, \(Self.failed)")
    _ = try counts("whole")
    #expect(try directory.text(of: "out") == directory.text(of: "whole"))
    #expect(try directory.names.filter { $0.hasPrefix(".") } == [])
  }

  @Test func `a signal in the middle of work keeps what is done, in its order`() throws {
    let crowd = try makeCrowd()
    let program = try begin(crowd, to: "out", ["--jobs=4", "--partial"], untilLines: 5)
    program.end(by: SIGINT)
    #expect(try program.status() == 130)
    let count = try lineCount("out")
    #expect(count >= 5)
    let list = crowd.joined(separator: "\n")
    _ = try Program(arguments("whole"), input: list)
    let whole = try directory.text(of: "whole").split(separator: "\n")
    let kept = try directory.text(of: "out").split(separator: "\n")
    #expect(kept == whole.filter(Set(kept).contains))
    let run = try Program(arguments("out", ["--update"]), input: list)
    #expect(run.counts == "\(400 - count) encoded, \(count) reused, 0 failed")
    #expect(try directory.text(of: "out") == directory.text(of: "whole"))
  }

  @Test func `a signal while contents are compared leaves the records of the others`() throws {
    let crowd = try makeCrowd()
    let options = ["--update", "--checksum", "--jobs=2"]
    _ = try Program(arguments("out", options), input: crowd.joined(separator: "\n"))
    try directory.write("crowd/0.png", TemporaryDirectory.png + [0])
    let program = try begin(crowd, to: "out", options, untilLines: 1)
    program.end(by: SIGINT)
    #expect(try program.status() == 130)
    // An image in work at the time may take longer than the program waits for it.
    #expect(try lineCount("out") >= 398)
  }

  @Test func `a signal that whoever started the program ignores is none`() throws {
    let program = try RunningProgram(
      arguments("out", ["--partial"]), through: ["/bin/sh", "-c", #"trap "" INT; exec "$@""#, "sh"])
    try program.send(images.prefix(1))
    try RunningProgram.wait { (try? lineCount(".out.journal")) == 1 }
    program.end(by: SIGINT)
    try program.send(images.dropFirst().prefix(1))
    try RunningProgram.wait { try lineCount(".out.journal") == 2 }
    program.end(by: SIGTERM)
    #expect(try program.status() == 143)
    #expect(try lineCount("out") == 2)
  }

  #if os(Linux)
  @Test(arguments: RecordFormat.allCases, ["00.png", "55.png"])
  func `what an update in order did not come to stays as it was, once`(
    format: RecordFormat, hanging: String
  ) throws {
    let output = "out.\(format)"
    for number in 0..<10 { try directory.write("d/\(number).png") }
    let command = ["encode", directory.file("d"), "-o", directory.file(output)]
    #expect(try Program(command).status == 0)
    let before = try directory.text(of: output)
    try directory.write("d/\(hanging)")
    let faults = try FaultyFiles()
    let variables = faults.failing("hang", of: "/d/\(hanging)").map { "\($0)=\($1)" }
    let program = try RunningProgram(
      command + ["--sandbox=off", "--update", "--timeout=600"],
      through: ["/usr/bin/env"] + variables)
    try RunningProgram.wait { try directory.names.contains(".\(output).draft") }
    program.end(by: SIGTERM)
    #expect(try program.status() == 143)
    #expect(try directory.text(of: output) == before)
    #expect(try directory.names.filter { $0.hasPrefix(".") } == [])
  }
  #endif
}
