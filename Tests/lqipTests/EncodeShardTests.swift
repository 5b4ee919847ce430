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

  @Test(arguments: [[], ["--prune"]])
  func `an update drops the records of other shards, even if its shard has no images`(
    options: [String]
  ) throws {
    for index in ["1", "2"] {
      _ = try encode("photos", "-o", "\(index).ndjson")
      let run = try Program(
        ["encode", "photos", "--update", "--shard=\(index)/2", "-o", "\(index).ndjson"] + options,
        directory: directory.path)
      #expect(run.status == 0)
    }
    let parts = try directory.text(of: "1.ndjson") + directory.text(of: "2.ndjson")
    #expect(parts.split(separator: "\n").count == 1)
    #expect(parts.hasPrefix("{\"path\":\"photos/a.png\","))
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
