import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import lqip

/// What becomes of a run of `encode` that is killed or cut off.
@Suite struct EncodeRecoveryTests: RunsToRecover {
  let directory: TemporaryDirectory
  let images: [String]

  init() throws {
    directory = try TemporaryDirectory()
    images = try Self.makeImages(in: directory)
  }

  @Test(arguments: RecordFormat.allCases, [1, 7])
  func `after a kill nothing is done twice`(format: RecordFormat, count: Int) throws {
    let output = "out.\(format)"
    try directory.write(output, Array("{\n}\n".utf8))
    try kill(
      try begin(images.prefix(count), to: output, untilLines: count))
    #expect(try directory.text(of: output) == "{\n}\n")
    let reused = count - (count > 3 ? 1 : 0)
    #expect(
      try counts(output) == "\(10 - reused) encoded, \(reused) reused, \(Self.failed)")
    try checkWhole(output)
  }

  @Test(arguments: RecordFormat.allCases)
  func `after every kill of several nothing is done twice`(format: RecordFormat) throws {
    let output = "out.\(format)"
    for count in [2, 5, 11] {
      try kill(
        try begin(
          images.prefix(count), to: output, ["--update"], untilLines: count))
    }
    #expect(try counts(output) == "1 encoded, 9 reused, \(Self.failed)")
    try checkWhole(output)
  }

  @Test(arguments: RecordFormat.allCases, ["plain", "mastodon"])
  func `a record that was torn is made again`(format: RecordFormat, profile: String) throws {
    let output = "out.\(format)"
    let options = ["--update", "--profile", profile]
    try kill(
      try begin(images.prefix(3), to: output, options, untilLines: 3))
    let journal = try directory.text(of: ".\(output).journal")
    try directory.write(".\(output).journal", Array(journal.utf8.dropLast(10)))
    // The torn record is where the next run goes on, and where it is killed too.
    try kill(
      try begin(images.prefix(3), to: output, options, untilLines: 3))
    #expect(try directory.text(of: ".\(output).journal") == journal)
    #expect(try counts(output, options) == "7 encoded, 3 reused, \(Self.failed)")
    try checkWhole(output, options)
  }

  @Test(arguments: [["--lqip=six"], ["--update", "--profile=mastodon"]])
  func `a journal of other choices is not used`(options: [String]) throws {
    try kill(try begin(images.prefix(3), to: "out.ndjson", options, untilLines: 3))
    #expect(try counts("out.ndjson") == "10 encoded, \(Self.failed)")
    try checkWhole("out.ndjson")
  }

  @Test(arguments: RecordFormat.allCases)
  func `a journal is used whatever the format`(format: RecordFormat) throws {
    try kill(try begin(images.prefix(3), to: "out", ["--format=csv"], untilLines: 3))
    let option = ["--update", "--format=\(format)"]
    #expect(try counts("out", option) == "7 encoded, 3 reused, \(Self.failed)")
    try checkWhole("out", option)
  }

  @Test func `a run that is not to update forgets the journal`() throws {
    try kill(try begin(images.prefix(3), to: "out.json", untilLines: 3))
    #expect(try counts("out.json", []) == "10 encoded, \(Self.failed)")
    try checkWhole("out.json")
  }

  @Test func `a run without stamps that has nothing to write leaves the journal`() throws {
    try kill(try begin(images.prefix(3), to: "out", ["--update"], untilLines: 3))
    let journal = try directory.text(of: ".out.journal")
    // The second finds the output of the first.
    for _ in 0..<2 {
      let run = try Program(
        "encode", directory.file("none"), "--fields=path,lqip", "-o", directory.file("out"))
      #expect(run.status == 4)
      #expect(try directory.text(of: ".out.journal") == journal)
    }
  }

  @Test func `a file that changed after a kill is encoded again`() throws {
    try kill(try begin(images.prefix(3), to: "out.json", untilLines: 3))
    try directory.setModified("1.png", 1_000_000_000)
    #expect(try counts("out.json") == "8 encoded, 2 reused, \(Self.failed)")
    try checkWhole("out.json")
  }

  @Test func `a run cannot write what another one is writing`() throws {
    let program = try begin(images.prefix(3), to: "out", untilLines: 3)
    let run = try Program(arguments("out"), input: images[0])
    #expect(run.status == 3)
    #expect(
      run.errors == "lqip: \(directory.file("out")): another lqip process is writing this file\n")
    try kill(program)
  }

  @Test func `a kill in the middle of work loses nothing that was written down`() throws {
    let crowd = try makeCrowd()
    var count = 0
    for least in [1, 60, 150, 300] {
      try kill(try begin(crowd, to: "out", ["--update", "--jobs=4"], untilLines: least))
      #expect(try lineCount(".out.journal") >= count)
      count = try lineCount(".out.journal")
    }
    let list = crowd.joined(separator: "\n")
    let run = try Program(arguments("out", ["--update"]), input: list)
    #expect(run.counts == "\(400 - count) encoded, \(count) reused, 0 failed")
    _ = try Program(arguments("whole"), input: list)
    #expect(try directory.text(of: "out") == directory.text(of: "whole"))
  }

  @Test func `a reader that closes after ten lines ends the run, which still tells what failed`()
    throws
  {
    let pipe = Pipe()
    let program = try RunningProgram(
      ["encode", "-"], output: pipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    try program.send(images.prefix(10))
    var lines = 0
    while lines < 10 {
      let text = try #require(try pipe.fileHandleForReading.read(upToCount: 1))
      lines += text == Data("\n".utf8) ? 1 : 0
    }
    try pipe.fileHandleForReading.close()
    try program.send(images.suffix(2))
    #expect(try program.status() == 141)
    #expect(try program.errors.contains("2 failed (2 unsupported_format)"))
  }

  @Test(arguments: RecordFormat.allCases)
  func `a disk that fills up leaves the old output and what was done`(
    format: RecordFormat
  ) throws {
    let output = "out.\(format)"
    try directory.write(output, Array("{\n}\n".utf8))
    // A limit on the length of files is met in the middle of the journal, as a full disk is.
    let script = #"trap "" XFSZ; ulimit -f 2; exec "$@""#
    let run = try Shell.bash.run(
      arguments: ["-c", script, "bash", Program.executable.path, "encode", "--jobs=1", "-o"]
        + [directory.file(output)] + images)
    #expect(run.status == 3)
    #expect(
      run.lines == [
        "lqip: \(directory.file(output)): cannot write: File too large; --update resumes from the "
          + "finished records in \(directory.file(".\(output).journal"))"
      ])
    #expect(try directory.text(of: output) == "{\n}\n")
    let counts = try counts(output)
    #expect(counts.contains(" reused, "))
    try checkWhole(output)
  }

  @Test func `a run that fails at its start leaves nothing`() throws {
    let run = try Program("encode", "-o", directory.file("out"), "--tar", directory.file("none"))
    #expect(run.status == 4)
    #expect(try directory.names.filter { $0.hasPrefix(".") || $0 == "out" } == [])
  }
}
