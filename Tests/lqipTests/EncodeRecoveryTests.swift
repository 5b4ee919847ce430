import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import lqip
@testable import LqipSystem

/// Runs of `encode` that are killed or fail to write.
@Suite struct EncodeRecoveryTests: RecoverySuite {
  let directory = TemporaryDirectory()
  let images: [String]
  #if os(Linux)
  private let faults: FaultyFiles
  #endif

  init() throws {
    images = try Self.makeImages(in: directory)
    #if os(Linux)
    faults = try FaultyFiles()
    #endif
  }

  @Test(arguments: [[], ["--update"]])
  func `repeated kill -9 neither loses nor truncates a record`(firstOptions: [String]) throws {
    var known: Set<String> = []
    for (sent, least) in [(60, 1), (140, 61), (220, 141), (300, 221)] {
      let options = known.isEmpty ? firstOptions : ["--update"]
      try kill(try begin(images.prefix(sent), options, untilLines: least))
      let kept = try paths(in: draft).union(paths(in: "out.ndjson"))
      #expect(kept.isSuperset(of: known))
      known = kept
    }
    #expect(known.count > 220)
    #expect(try counts() == counts(reusing: known))
    try checkComplete()
  }

  @Test func `a run without --update ignores the draft of a killed run`() throws {
    try kill(try begin(images.prefix(150), untilLines: 100))
    #expect(try counts([]) == "298 encoded, \(Self.failed)")
    try checkComplete()
  }

  @Test func `images with truncated or outdated records in a draft are encoded again`() throws {
    try kill(try begin(images.prefix(150), ["--update"], untilLines: 100))
    var known = try lines(draft)
    try directory.write(draft, Array((known.joined(separator: "\n") + "\n").utf8.dropLast(10)))
    known.removeLast()
    try directory.write("images/101.png", TemporaryDirectory.png + [0])
    try directory.settle()
    let reused = Set(images.prefix(known.count)).subtracting([images[1]])
    #expect(try counts() == counts(reusing: reused))
    try checkComplete()
  }

  @Test func `images whose records in a draft have other settings are encoded again`() throws {
    try kill(try begin(images.prefix(150), ["--lqip=six"], untilLines: 100))
    #expect(try counts() == "298 encoded, \(Self.failed)")
    try checkComplete()
  }

  @Test func `two runs cannot write the same output`() throws {
    let program = try begin(images.prefix(150), untilLines: 100)
    for options in [[], ["--update"], ["--force"]] {
      let run = try Program(arguments(options), input: images[0])
      #expect(run.status == 3)
      #expect(
        run.errors == "lqip: \(directory.file("out.ndjson")): in use by another lqip process\n")
    }
    try kill(program)
    #expect(try paths(in: draft).count >= 100)
  }

  #if os(Linux)
  private func run(_ options: [String], _ variables: [String: String]) throws -> RunningProgram {
    try RunningProgram(
      ["encode", "--sandbox=off", "--timeout=600", "-o", directory.file("out.ndjson")]
        + [directory.file("images")] + options,
      through: ["/usr/bin/env"] + variables.map { "\($0)=\($1)" })
  }

  @Test func `a kill loses at most 1,024 decoded images, even while one image stalls`() throws {
    // In byte order, 2000.png is the 102nd file.
    for number in 2000..<3100 { try directory.write("images/\(number).png") }
    let log = try directory.write("log", [])
    let program = try run(
      ["--jobs=2"],
      faults.failing("hang", of: "/2000.png").merging(faults.logging(to: log)) { $1 })
    // The read-ahead window is full if no image was opened during 500 polls.
    var (opened, unchanged) = (0, 0)
    try RunningProgram.wait {
      let count = try directory.text(of: "log").utf8.count
      unchanged = count == opened && count > 500 ? unchanged + 1 : 0
      opened = count
      return unchanged > 500
    }
    try kill(program)
    let kept = try lines(draft).count
    #expect(10...101 ~= kept)
    #expect(opened - kept <= 1024, "\(opened) opened, \(kept) kept")
    let update = try Program(
      ["encode", "--update", "-o", directory.file("out.ndjson"), directory.file("images")])
    #expect(
      update.counts?.hasPrefix("\(1399 - kept) encoded, \(kept - 1) reused, ") == true,
      "\(update.errors)")
  }

  @Test func `a kill just before the output is replaced loses no record`() throws {
    let first = try run([], faults.failing("hang", of: draft))
    try RunningProgram.wait { try lineCount(draft) == 300 }
    try kill(first)
    let second = try run(["--update"], faults.failing("hang", of: ".out.ndjson.new"))
    try RunningProgram.wait { try lineCount(".out.ndjson.new") == 300 }
    try kill(second)
    #expect(try !directory.names.contains("out.ndjson"))
    #expect(try counts() == "0 encoded, 298 reused, \(Self.failed)")
    try checkComplete()
  }

  @Test(arguments: [ENOSPC, EIO], [".part", ".new"])
  func `a write error loses no record of the old output or the draft`(error: Int32, file: String)
    throws
  {
    _ = try Program("encode", "-o", directory.file("out.ndjson"), images[299])
    let before = try directory.text(of: "out.ndjson")
    try kill(try begin(images.prefix(150), untilLines: 100))
    let known = try paths(in: draft).union([images[299]])
    let failed = try Program(
      arguments(["--update", "--sandbox=off"]), input: images.joined(separator: "\n"),
      environment: faults.failing("write", of: file, with: error))
    #expect(failed.status == 3)
    #expect(
      failed.errors.hasPrefix(
        "lqip: \(directory.file("out.ndjson")): cannot write: \(SystemError(number: error))"))
    if file == ".new" { #expect(try directory.text(of: "out.ndjson") == before) }
    #expect(try counts() == counts(reusing: known))
    try checkComplete()
  }
  #endif

  @Test func `a full disk loses neither the old output nor the finished records`() throws {
    _ = try Program("encode", "-o", directory.file("out.ndjson"), images[299])
    let before = try directory.text(of: "out.ndjson")
    // Like a full disk, the file size limit stops the draft in the middle.
    let script = #"trap "" XFSZ; ulimit -f 40; exec "$@""#
    let run = try Shell.bash.run(
      arguments: ["-c", script, "bash", Program.executable.path, "encode", "-o"]
        + [directory.file("out.ndjson")] + images)
    #expect(run.status == 3)
    #expect(
      run.lines == [
        "lqip: \(directory.file("out.ndjson")): cannot write: File too large; --update resumes "
          + "from the finished records in \(directory.file(draft))"
      ])
    #expect(try directory.text(of: "out.ndjson") == before)
    let known = try paths(in: draft)
    #expect(!known.isEmpty)
    #expect(try counts() == counts(reusing: known.union([images[299]])))
    try checkComplete()
  }

  @Test func `an output closed after ten lines ends the run, which still reports failures`()
    throws
  {
    let pipe = Pipe()
    let program = try RunningProgram(["encode", "-"], output: pipe.fileHandleForWriting)
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
    #expect(try program.errors.contains("1 failed (1 unsupported_format)"))
  }

  @Test func `a run that fails at startup leaves no files`() throws {
    let run = try Program(
      "encode", "-o", directory.file("out.ndjson"), "--tar", directory.file("none"))
    #expect(run.status == 4)
    #expect(try directory.names == ["images"])
  }
}
