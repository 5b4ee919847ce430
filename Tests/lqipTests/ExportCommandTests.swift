import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords

@Suite struct ExportCommandTests {
  private let directory = TemporaryDirectory()

  init() throws {
    for index in 0..<40 { try directory.write("d/\(index % 7)/\(index).png") }
    try directory.write("d/3/broken.png", [1, 2, 3])
    try directory.settle()
  }

  @discardableResult
  private func encode(_ name: String, _ options: String...) throws -> String {
    let run = try Program(["encode", "-o", directory.file(name), directory.file("d")] + options)
    try #require([0, 1].contains(run.status), "\(run.errors)")
    return directory.file(name)
  }

  /// Exports outputs in every format and compares them with the output of a single run.
  private func checkExports(of parts: [String]) throws {
    for format in RecordFormat.allCases {
      let (complete, exported) = ("complete.\(format)", "exported.\(format)")
      try encode(complete)
      let run = try Program(["export", "-o", directory.file(exported)] + parts)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try directory.text(of: exported) == directory.text(of: complete))
    }
  }

  @Test(arguments: [1, 3, 8, 60])
  func `an export of all shards equals the output of a single run byte for byte`(count: Int) throws
  {
    let parts = try (1...count).map { try encode("\($0).ndjson", "--shard=\($0)/\(count)") }
    try checkExports(of: parts.reversed())
  }

  @Test(arguments: [(2, 3), (3, 2), (8, 1)])
  func `an export of shards updated with another shard count equals the output of a single run`(
    before: Int, after: Int
  ) throws {
    for index in 1...before { try encode("\(index).ndjson", "--shard=\(index)/\(before)") }
    for index in [0, 7, 14, 21, 28, 35] {
      try directory.write("d/0/\(index).png", Fixtures.bytes("size-1x1.png"))
    }
    try directory.settle()
    let parts = try (1...after).map {
      try encode(
        "\($0).ndjson", "--shard=\($0)/\(after)", "--update", "--prune", "--max-drop=100%")
    }
    try checkExports(of: parts)
    // Every record is in exactly one shard.
    let counts = try (1...after).map {
      try directory.text(of: "\($0).ndjson").split(separator: "\n").count
    }
    #expect(counts.reduce(0, +) == 41)
  }

  @Test func `a CSV exported from outputs with different placeholders has all of their columns`()
    throws
  {
    let parts = try ["blurhash", "thumbhash"].enumerated().map { index, kind in
      try encode("\(index).ndjson", "--shard=\(index + 1)/2", "--kinds=\(kind)")
    }
    let table = directory.file("all.csv")
    #expect(try Program(["export", "-o", table] + parts).status == 0)
    let rows = try StrictCSV.records(Array(directory.text(of: "all.csv").utf8))
    let header = rows[0].map { String(decoding: $0, as: UTF8.self) }
    let columns = try ["blurhash", "thumbhash"].map { try #require(header.firstIndex(of: $0)) }
    #expect(rows.count == 42)
    #expect(rows.dropFirst().filter { row in columns.allSatisfy { row[$0].isEmpty } }.count == 1)
  }

  @Test func `an exported output can be updated`() throws {
    let parts = try (1...2).map { try encode("\($0).ndjson", "--shard=\($0)/2") }
    _ = try Program(["export", "-o", directory.file("all.ndjson")] + parts)
    let run = try Program(
      "encode", "--update", "-o", directory.file("all.ndjson"), directory.file("d"))
    #expect(run.counts == "0 encoded, 40 reused, 1 failed (1 unsupported_format)")
  }

  @Test func `an export reads standard input and pipes`() throws {
    let parts = try (1...2).map { try encode("\($0).ndjson", "--shard=\($0)/2") }
    try encode("complete.csv")
    let run = try Program(
      ["-c", #"exec "$0" export - <(cat "$1") -o "$2" <"$3""#, Program.executable.path]
        + [parts[0], directory.file("exported.csv"), parts[1]], of: "bash")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try directory.text(of: "exported.csv") == directory.text(of: "complete.csv"))
  }

  @Test(arguments: [64, 40])
  func `an export of more parts than can be open merges them in groups`(limit: Int) throws {
    let names = (0..<2000).map { "\(10_000 + $0)" }
    var expected: [String] = []
    for name in names {
      let line = #"{"path":"\#(name)","error":{"code":"corrupt","message":"no"}}"# + "\n"
      try directory.write("\(name).ndjson", Array(line.utf8))
      expected.append(line)
    }
    let run = try Program(
      ["-c", #"ulimit -n "$0" && exec "$1" export *.ndjson -o all.csv"#, "\(limit)"]
        + [Program.executable.path], of: "bash", directory: directory.path)
    #expect(run.status == 0, "\(run.errors)")
    let rows = try StrictCSV.records(Array(directory.text(of: "all.csv").utf8)).dropFirst()
    #expect(rows.map { String(decoding: $0[0], as: UTF8.self) } == names)
  }

  @Test(arguments: ["null", "sorted", "spaced", "slashes"])
  func `an export of records that another program has written equals the original`(style: String)
    throws
  {
    let original = try encode("all.ndjson", "--kinds=blurhash,lqip,palette,preview")
    let script = """
      import json, sys
      style = sys.argv[1]
      records = [json.loads(line) for line in open(sys.argv[2])]
      names = list(dict.fromkeys(name for record in records for name in record))
      for record in records:
          if style == "null": record = {name: record.get(name) for name in names}
          if style == "null" and record["width"]: record["width"] = float(record["width"])
          separators = None if style == "spaced" else (",", ":")
          text = json.dumps(record, sort_keys=style == "sorted", separators=separators)
          print(text.replace("/", "\\/") if style == "slashes" else text)
      """
    let foreign = try Program(["-c", script, style, original], of: "python3")
    #expect(foreign.status == 0, "\(foreign.errors)")
    let run = try Program(["export", "-"], bytes: foreign.output)
    #expect(run.status == 0, "\(run.errors)")
    #expect(String(decoding: run.output, as: UTF8.self) == (try directory.text(of: "all.ndjson")))
  }

  @Test func `members that lqip does not know keep their integers`() throws {
    let line = #"{"path":"a","foo":{"id":12345678901234567,"n":[{"m":3}]},"bar":12345678901234567}"#
    let run = try Program("export", "-", input: line + "\n")
    #expect(String(decoding: run.output, as: UTF8.self) == line + "\n", "\(run.errors)")
  }

  @Test(arguments: ["mastodon", "nostr"])
  func `a profile invents no size`(profile: String) throws {
    let line = #"{"path":"a.png","width":1}"#
    let run = try Program("export", "-", "--profile", profile, input: line + "\n")
    #expect(run.status == 0)
    #expect(!String(decoding: run.output, as: UTF8.self).contains("1x"))
  }

  @Test func `an export never replaces its input`() throws {
    let file = try encode("all.ndjson")
    let before = try directory.text(of: "all.ndjson")
    let run = try Program("export", file, "-o", file, "--force")
    #expect(run.status == 3)
    #expect(run.errors == "lqip: \(file): refusing to overwrite an input file\n")
    #expect(try directory.text(of: "all.ndjson") == before)
  }

  @Test(arguments: [
    ("hello\n", 1), ("{\"path\":\"b\"}\n{\"path\":\"a\"}\n", 2), ("{\"path\":\"a\"}\nx\n", 2),
    ("{\"path\":\"a\"}\n{\"path\":\"a\"}\n", 2), ("{\"path\":\"a\"}\n{\"path\":", 2),
    ("{\"width\":3}\n", 1), ("{\n\"a\":{}\n}\n", 1), ("path,path_base64\r\n", 1),
  ])
  func `an input that is not sorted NDJSON is rejected with the line number`(
    text: String, line: Int
  ) throws {
    let file = try directory.write("part", Array(text.utf8))
    let run = try Program("export", file, "-o", directory.file("all.ndjson"))
    #expect(run.status == 4)
    #expect(run.errors.hasPrefix("lqip: \(file), line \(line): "))
    #expect(try directory.names == ["d", "part"])
  }
}
