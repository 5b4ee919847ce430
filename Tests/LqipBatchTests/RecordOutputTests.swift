import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipBatch
@testable import LqipFiles
@testable import LqipOptions
@testable import LqipRecords

@Suite struct RecordOutputTests {
  private let directory: TemporaryDirectory
  private static let kept = String(repeating: "x", count: 1 << 15)

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func output(_ name: String, updates: Bool = false) throws -> RecordOutput {
    var (options, update) = (RecordOptions(), UpdateOptions())
    options.output.path = FilePath(directory.file(name))
    update.isOn = updates
    return try RecordOutput(options, update, inputs: [], pathsMayRepeat: true)
  }

  /// A record, which is longer than what is held before it is written.
  private func line(_ name: String, changed: Int = 1) -> String {
    #"{"path":"\#(name)","preview":"\#(Self.kept)","stamp":"1 1.000000000 \#(changed).000000000 s"}"#
      + "\n"
  }

  private func write(_ lines: String..., to output: RecordOutput) throws {
    for line in lines {
      let entry = Array(line.dropLast().utf8)
      try output.write(BatchEvent(FilePath("a"), .encoded(byteCount: 1), .entry(entry)))
    }
  }

  private func finish(_ output: RecordOutput) throws {
    var summary = BatchSummary()
    summary.add(encoded: 1)
    try output.finish(&summary)
  }

  @Test(arguments: [
    ("out.ndjson", "{\"path\":\"a\"}\n{\"path\":\"a\"}\n"),
    ("out.json", "{\n{\"path\":\"a\"}\n}\n"),
    ("out.csv", "{\"path\":\"a\"}\r\n{\"path\":\"a\"}\r\n"),
  ])
  func `an output replaces the file at the end, and a key comes once`(
    name: String, expected: String
  ) throws {
    try directory.write(name, Array("{\n}\n".utf8))
    let output = try output(name)
    try write("{\"path\":\"a\"}\n", "{\"path\":\"a\"}\n", to: output)
    #expect(try directory.text(of: name) == "{\n}\n")
    try finish(output)
    #expect(try directory.text(of: name).hasSuffix(expected))
    #expect(try directory.names == [name])
  }

  @Test(arguments: [
    ("", ""), (#"{"path":"d","#, ""), ("{\"path\":\"d\"}\n\0", "{\"path\":\"d\"}\n"),
    ("{\"path\":\"a\"}\n{\"path\":\"d\"}\n", ""),
  ])
  func `an update begins with the draft of a killed run, up to its first bad line`(
    rest: String, added: String
  ) throws {
    try directory.write("out.ndjson", Array((line("a") + line("c")).utf8))
    try write(line("b"), line("c", changed: 2), to: output("out.ndjson"))
    let draft = line("b") + line("c", changed: 2)
    #expect(try directory.text(of: ".out.ndjson.part") == draft)
    try directory.write(".out.ndjson.part", Array((draft + rest).utf8))
    let output = try output("out.ndjson", updates: true)
    let text = try directory.text(of: "out.ndjson")
    #expect(text == line("a") + draft + added)
    var reader = RecordReader(try #require(output.previous(settings: "s")?.descriptor))
    #expect(try reader.next()?.path == FilePath("a"))
    let path = FilePath(directory.file("out.ndjson"))
    let before = try FileStatus(of: path, followsLinks: false)
    try output.write(BatchEvent(path, .unvisited(count: 3), .old(0..<text.utf8.count)))
    try finish(output)
    #expect(try FileStatus(of: path, followsLinks: false).identity == before.identity)
    #expect(try directory.names == ["out.ndjson"])
  }
}
