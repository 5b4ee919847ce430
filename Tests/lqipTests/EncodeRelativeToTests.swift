import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords

/// Record paths relative to the directory that `--relative-to` names.
@Suite struct EncodeRelativeToTests {
  private let directory = TemporaryDirectory()

  /// Runs the program in the test directory.
  private func run(_ arguments: String..., input: String = "") throws -> Program {
    try Program(["encode"] + arguments, input: input, directory: directory.path)
  }

  @Test(arguments: RecordFormat.allCases)
  func `a file outside the --relative-to directory is an error, and NDJSON has no record of it`(
    format: RecordFormat
  ) throws {
    for name in ["p/x/p/a.png", "p/x/c.png", "b.png"] { try directory.write(name) }
    let list = "p/x/c.png\n./p//x/p/a.png\nb.png\n../b.png\n"
    let run = try run("-", "--relative-to=p/x", "-o", "out.\(format)", input: list)
    #expect(run.status == 4)
    #expect(run.counts == "2 encoded, 2 failed (2 unreadable)")
    #expect(run.errors.hasPrefix("lqip: b.png: outside --relative-to p/x\n"))
    let text = try directory.text(of: "out.\(format)")
    let paths = ["c.png", "p/a.png"] + (format == .ndjson ? [] : ["b.png", "../b.png"])
    switch format {
    case .ndjson, .json:
      let keys = text.matches(of: /(?m)^(?:{"path":)?"([^"]*)"/).map { String($0.1) }
      #expect(keys == paths)
    case .csv:
      let rows = try StrictCSV.records(Array(text.utf8)).dropFirst()
      #expect(rows.map { String(decoding: $0[0], as: UTF8.self) } == paths)
    }
  }

  @Test(arguments: [
    (".", ".."), ("..", "p"), ("p/..", "p/../../q"), ("p/../q", "p"), ("e", "d"), (".", "/nowhere"),
    ("d/b", "d/a"),
  ])
  func `an operand outside the --relative-to directory is rejected in every spelling`(
    path: String, base: String
  ) throws {
    try directory.write("a.png")
    let run = try run(path, "--relative-to", base, "-o", "out.ndjson")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("lqip: '\(path)' is outside --relative-to '\(base)'\n"))
    #expect(try directory.names == ["a.png"])
  }

  @Test func `operands are updated in the order of their paths relative to --relative-to`() throws {
    for name in ["a.png", "b/c.png", "b-/d.png", "e.png"] { try directory.write(name) }
    try directory.settle()
    for _ in 0..<2 {
      let run = try run(
        "./e.png", "./b", "a.png", "b-", "--relative-to=.", "--update", "-o", "out.ndjson")
      #expect(run.status == 0, "\(run.errors)")
    }
    let paths = try directory.text(of: "out.ndjson").matches(of: /"path":"([^"]*)"/)
    #expect(paths.map { String($0.1) } == ["a.png", "b-/d.png", "b/c.png", "e.png"])
  }

  @Test func `--relative-to also applies to paths in archives`() throws {
    var archive = TarArchive()
    for name in ["./p/a.png", "b.png"] { archive.add(name.utf8) }
    try directory.write("t.tar", archive.closed)
    let run = try run("--tar=t.tar", "--relative-to=p")
    #expect(run.counts == "1 encoded, 1 failed (1 unreadable)")
    #expect(try run.paths == ["a.png", "b.png"])
  }

  @Test func `an update encodes all files but those outside the --relative-to directory`() throws {
    for name in ["b.png", "p/a.png", "p/z.png"] { try directory.write(name) }
    for _ in 0..<2 {
      let run = try run(
        "-", "--relative-to=p", "--update", "-o", "out.ndjson", input: "b.png\np/a.png\np/z.png\n")
      #expect(run.status == 4)
      #expect(try directory.text(of: "out.ndjson").split(separator: "\n").count == 2)
    }
  }
}
