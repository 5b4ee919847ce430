#if os(Linux)
import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords

/// What `encode --update` does when nothing can be known of the images: it loses no record.
@Suite struct EncodeProofTests {
  private let directory: TemporaryDirectory
  private let faults: FaultyFiles
  private let before: String

  init() throws {
    directory = try TemporaryDirectory()
    faults = try FaultyFiles()
    for index in 0..<5 {
      try directory.write("d/\(index).png")
      try directory.write("d/sub/\(index)")
    }
    let first = try Program("encode", "-o", directory.file("out"), directory.file("d"))
    try #require(first.status == 0)
    before = try directory.text(of: "out")
  }

  /// Runs an update, after which nothing may be left beside the output.
  private func update(
    _ options: [String] = [], input: String = "", _ environment: [String: String] = [:]
  ) throws -> Program {
    let sources = options.contains("-") ? [] : [directory.file("d")]
    let run = try Program(
      ["encode", "--sandbox=off", "--update", "-o", directory.file("out")] + sources + options,
      input: input,
      environment: environment)
    #expect(try directory.names.filter { $0.hasPrefix(".") } == [])
    return run
  }

  private var isUntouched: Bool {
    get throws { try directory.text(of: "out") == before }
  }

  private func remove(_ names: String...) throws {
    for name in names { try FileManager.default.removeItem(atPath: directory.file(name)) }
  }

  @Test(arguments: ["d", "d/sub"], [EACCES, EIO, EMFILE])
  func `a directory that cannot be opened costs no record`(name: String, error: Int32) throws {
    try remove("d/1.png")
    let run = try update([], faults.failing("open", of: "/\(name)", with: error))
    #expect(run.status == 4)
    #expect(run.errors.contains("\(directory.file(name)): "))
    #expect(try isUntouched)
  }

  @Test(arguments: ["d", "d/sub"])
  func `a directory that cannot be listed to its end costs no record`(name: String) throws {
    let run = try update([], faults.failing("list", of: "/\(name)"))
    #expect(run.status == 4)
    #expect(try isUntouched)
  }

  @Test func `a directory that is empty as if not mounted costs no record`() throws {
    try remove("d")
    _ = try directory.makeDirectory("d")
    #expect(try update().status == 4)
    #expect(try isUntouched)
    #expect(try update(["--allow-empty"]).status == 0)
    #expect(try directory.text(of: "out") == "")
  }

  @Test func `a directory that is not there costs no record`() throws {
    try remove("d")
    #expect(try update().status == 4)
    #expect(try isUntouched)
  }

  @Test(arguments: [[], ["--update"]])
  func `an empty list costs no record`(options: [String]) throws {
    let run = try Program(["encode", "-o", directory.file("out"), "-"] + options)
    #expect(run.status == 4)
    #expect(try isUntouched)
  }

  @Test func `a list of some files costs no record of the others that are there`() throws {
    let run = try update(["-"], input: directory.file("d/1.png"))
    #expect(run.status == 0)
    #expect(
      try directory.text(of: "out").split(separator: "\n").sorted()
        == before.split(separator: "\n").sorted())
  }

  @Test func `a list drops what is gone from a place where there is more, and nothing else`() throws
  {
    try remove("d/0.png", "d/sub")
    _ = try directory.makeDirectory("d/sub")
    let list = (1..<5).map { directory.file("d/\($0).png") }.joined(separator: "\n")
    let run = try update(["-", "--progress=always"], input: list)
    #expect(run.counts == "0 encoded, 4 reused, 0 failed, 1 dropped")
    #expect(try directory.text(of: "out").split(separator: "\n").count == 9)
  }

  @Test(arguments: ["open", "read"], [EACCES, EIO, EMFILE])
  func `an error of the moment takes no good record's place`(call: String, error: Int32) throws {
    try directory.setModified("d/2.png", 1_000_000_000)
    try remove("d/4.png")
    let run = try update([], faults.failing(call, of: "/d/2.png", with: error))
    #expect(run.status == 1)
    #expect(run.errors.contains("d/2.png: "))
    #expect(run.errors.contains("1 kept"))
    #expect(run.errors.contains("kept 1 record of missing files"))
    #expect(try isUntouched)
  }

  @Test func `a read that hangs is given up, and everything else is done`() throws {
    try directory.setModified("d/2.png", 1_000_000_000)
    try directory.setModified("d/3.png", 1_000_000_000)
    let run = try update(["--timeout=0.5"], faults.failing("hang", of: "/d/2.png"))
    #expect(run.status == 1)
    #expect(run.counts == "1 encoded, 8 reused, 1 failed (1 timeout), 1 kept")
    let lines = try directory.text(of: "out").split(separator: "\n")
    #expect(lines.count == 10)
    #expect(lines[2] == before.split(separator: "\n")[2])
  }

  @Test(arguments: [("1", false), ("2", true), ("19%", false), ("20%", true)])
  func `more than the limit are not dropped`(limit: String, isAllowed: Bool) throws {
    try remove("d/0.png", "d/sub/4")
    let run = try update(["--max-delete", limit])
    #expect(run.status == (isAllowed ? 0 : 3))
    #expect(try isUntouched != isAllowed)
    #expect(try directory.text(of: "out").split(separator: "\n").count == (isAllowed ? 8 : 10))
  }

  @Test(
    arguments: RecordFormat.allCases, [["0.png"], ["4.png", "3.png"], ["0.png", "1.png", "sub"]])
  func `what was dropped leaves what a new run would write`(
    format: RecordFormat, names: [String]
  ) throws {
    let option = "--format=\(format)"
    try remove("out")
    #expect(try update([option]).status == 0)
    for name in names { try remove("d/\(name)") }
    #expect(try update([option]).status == 0)
    _ = try Program("encode", option, "-o", directory.file("new"), directory.file("d"))
    #expect(try directory.text(of: "out") == directory.text(of: "new"))
  }

  @Test(arguments: [
    ["--fields=blurhash"], ["--checksum"], ["--format=json"], ["--format=csv"], ["--lqip=six"],
  ])
  func `records of missing files stay through other choices`(options: [String]) throws {
    try remove("d/0.png", "d/sub")
    #expect(try update(options + ["--keep-missing"]).status == 0)
    #expect(try update(["--keep-missing"]).status == 0)
    let paths = try directory.text(of: "out").split(separator: "\n").compactMap {
      try (JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["path"] as? String
    }
    #expect(
      paths == (0..<5).map { directory.file("d/\($0).png") }
        + (0..<5).map { directory.file("d/sub/\($0)") })
  }

  @Test func `a damaged line is told and set aside, and nothing else is lost`() throws {
    var lines = before.split(separator: "\n").map(String.init)
    let damaged = #"{"path":"x","#
    lines.insert(damaged, at: 3)
    lines[6] = String(lines[6].dropLast(3))
    try directory.write("out", Array((lines.joined(separator: "\n") + "\n").utf8))
    let run = try update(["--keep-missing"])
    #expect(run.errors.contains("out, line 4: not a valid record"))
    #expect(run.errors.contains("out, line 7: not a valid record"))
    #expect(try directory.text(of: "out.rejected").contains("\(damaged)\n"))
    #expect(try isUntouched)
  }

  @Test func `a record that cannot be is made again`() throws {
    let damaged = before.replacing(#""width":3"#, with: #""width":0"#, maxReplacements: 1)
      .replacing(#""blurhash":"0"#, with: #""blurhash":"~"#, maxReplacements: 1)
    try directory.write("out", Array(damaged.utf8))
    #expect(try update(["--progress=always"]).counts == "1 encoded, 9 reused, 0 failed")
    #expect(try isUntouched)
  }

  @Test func `an output in which nothing changes is not touched`() throws {
    let path = FilePath(directory.file("out"))
    let status = try FileStatus(of: path, followsLinks: false)
    _ = try update()
    let after = try FileStatus(of: path, followsLinks: false)
    #expect(after.identity == status.identity)
    #expect(after.modified == status.modified)
  }

  @Test func `a path by another name is the same file`() throws {
    let other = directory.file("./d/../d").replacing("/d/../d", with: "//d/.")
    let run = try Program(
      ["encode", "--update", "--progress=always", "-o", directory.file("out"), other])
    #expect(run.counts == "0 encoded, 10 reused, 0 failed")
    #expect(try update(["--progress=always"]).counts == "0 encoded, 10 reused, 0 failed")
    #expect(try isUntouched)
  }
}
#endif
