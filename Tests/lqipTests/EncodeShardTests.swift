import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@Suite struct EncodeShardTests {
  private let directory = TemporaryDirectory()

  init() throws {
    _ = try directory.write("photos/a.png")
  }

  private func encode(_ arguments: String...) throws -> Program {
    try Program(["encode"] + arguments, directory: directory.path)
  }

  @Test(arguments: [[], ["--update"]])
  func `a shard without images produces an empty output`(options: [String]) throws {
    let sizes = try ["1", "2"].map { index in
      let run = try Program(
        ["encode", "photos", "--shard=\(index)/2", "-o", "\(index).ndjson"] + options,
        directory: directory.path)
      #expect(run.status == 0)
      #expect(run.errors == "")
      return try directory.text(of: "\(index).ndjson").count
    }
    #expect(sizes.count { $0 == 0 } == 1)
  }

  @Test func `an update drops the records of other shards only with --prune, and says so`() throws {
    for index in 0..<50 { try directory.write("photos/\(index).png") }
    try directory.settle()
    _ = try encode("photos", "-o", "out.ndjson")
    let before = try directory.text(of: "out.ndjson")
    let kept = try encode("photos", "--update", "--shard=1/4", "-o", "out.ndjson")
    #expect(kept.status == 0)
    #expect(try directory.text(of: "out.ndjson") == before)
    let refused = try encode("photos", "--update", "--prune", "--shard=1/4", "-o", "out.ndjson")
    #expect(refused.status == 4)
    #expect(refused.errors.contains(" of 51 records would be dropped"))
    #expect(try directory.text(of: "out.ndjson") == before)
    let run = try encode(
      "photos", "--update", "--prune", "--max-drop=100%", "--shard=1/4", "-o", "out.ndjson")
    #expect(run.status == 0)
    let count = try directory.text(of: "out.ndjson").split(separator: "\n").count
    #expect(5..<25 ~= count)
    #expect(
      run.counts == "0 encoded, \(count) reused, 0 failed, \(51 - count) dropped (other shards)")
  }

  @Test func `an empty shard of an archive, or of files without an extension, is an empty output`()
    throws
  {
    var archive = TarArchive()
    archive.add("photos/a.png".utf8)
    try directory.write("t.tar", archive.closed)
    _ = try directory.makeDirectory("names")
    try directory.write("names/attachment")
    for source in ["names", "--tar=t.tar"] {
      let runs = try ["1", "2"].map { try encode(source, "--shard=\($0)/2", "-o", "\($0).ndjson") }
      #expect(runs.map(\.status) == [0, 0])
      let sizes = try ["1", "2"].map { try directory.text(of: "\($0).ndjson").utf8.count }
      #expect(sizes.min() == 0 && sizes.max() ?? 0 > 0)
    }
  }

  @Test func `a shard of an empty directory leaves the output unchanged`() throws {
    _ = try encode("photos", "-o", "part.ndjson")
    let before = try directory.text(of: "part.ndjson")
    _ = try directory.makeDirectory("empty")
    for index in ["1", "2"] {
      let run = try encode(
        "empty", "--update", "--prune", "--shard=\(index)/2", "-o", "part.ndjson")
      #expect(run.status == 4)
      #expect(run.errors.contains("no images found"))
    }
    #expect(try directory.text(of: "part.ndjson") == before)
  }
}
