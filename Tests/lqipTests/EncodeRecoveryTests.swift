import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords
@testable import lqip

/// What becomes of a run of `encode` that is killed, interrupted or cut off.
@Suite struct EncodeRecoveryTests {
  private let directory: TemporaryDirectory
  /// Twelve files, of which numbers 3 and 8 are broken.
  private let images: [String]

  init() throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    images = try (0..<12).map { index in
      let isBroken = [3, 8].contains(index)
      return try directory.write("\(index).png", isBroken ? [1] : TemporaryDirectory.png)
    }
  }

  private func arguments(_ output: String, _ options: [String] = []) -> [String] {
    ["encode", "--progress=always", "-o", directory.file(output), "-"] + options
  }

  /// Starts a run over some of the images, which goes on until the journal has as many lines.
  private func begin(
    _ images: some Sequence<String>, to output: String, _ options: [String] = [],
    untilLines count: Int
  ) throws -> RunningProgram {
    let program = try RunningProgram(arguments(output, options))
    try program.send(images)
    try RunningProgram.wait { (try? lineCount(".\(output).journal")) ?? 0 >= count }
    return program
  }

  private func kill(_ program: RunningProgram) throws {
    program.end(by: SIGKILL)
    #expect(try program.status() == -SIGKILL)
  }

  /// Runs the command over all images, and gives its counts without the time they took.
  private func counts(_ output: String, _ options: [String] = ["--update"]) throws -> String {
    let run = try Program(
      arguments(output, options), input: images.joined(separator: "\n"))
    #expect(run.status == 1)
    return try #require(run.counts)
  }

  /// Compares an output with one that was made in one go, and looks for what was left beside it.
  private func checkWhole(_ output: String, _ options: [String] = []) throws {
    let format = output.split(separator: ".").last ?? ""
    _ = try counts("whole.\(format)", options)
    #expect(try directory.text(of: output) == directory.text(of: "whole.\(format)"))
    #expect(try directory.names.filter { $0.hasPrefix(".") } == [])
  }

  private static let failed = "2 failed (2 unsupported_format)"

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
      run.errors == "lqip: cannot write \(directory.file("out")): another run is writing it\n")
    try kill(program)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], RecordFormat.allCases)
  func `a signal ends a run with a valid output of what was done`(
    signal: Int32, format: RecordFormat
  ) throws {
    let output = "out.\(format)"
    let program = try begin(images.prefix(5), to: output, ["--partial"], untilLines: 5)
    program.end(by: signal)
    #expect(try program.status() == 128 + signal)
    #expect(
      try program.errors.hasPrefix("lqip: 4 encoded, 1 failed (1 unsupported_format), partial in "))
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
    #expect(
      try program.errors.hasPrefix(
        "lqip: 2 encoded, 2 reused, 1 failed (1 unsupported_format), partial in "))
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
    #expect(try program.errors.contains("is left as it was; what is done is in"))
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

  /// Many files, in the order in which they are sent.
  private func makeCrowd() throws -> [String] {
    try (0..<400).map { try directory.write("crowd/\($0).png") }
  }

  /// How many whole lines a file has.
  private func lineCount(_ name: String) throws -> Int {
    try directory.text(of: name).utf8.count { $0 == UInt8(ascii: "\n") }
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
    #expect(try program.status() == 1)
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
    #expect(run.lines == ["lqip: cannot write \(directory.file(output)): File too large"])
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
