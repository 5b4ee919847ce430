import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import lqip
@testable import LqipSystem

extension WalkOptions {
  init(following: Bool = false, including: [String] = [], excluding: [String] = []) {
    self.init()
    followsLinks = following
    includes = including.map { FilePath($0) }
    excludes = excluding.map { FilePath($0) }
  }
}

@Suite struct WalkOptionsTests {
  @Test(arguments: [
    ("*.png", "a/b.png", true), ("*.png", "a/b.PNG", false), ("b", "a/b", true),
    ("a", "a/b", false), ("b*", "b/a", false), ("?.png", "a/é.png", false),
    ("[ab].png", "x/b.png", true), ("[!ab].png", "x/b.png", false), ("\\*.png", "x/a.png", false),
    ("*", "a/.hidden", true), ("a/*.png", "a/b.png", true), ("a/*.png", "a/b/c.png", true),
    ("a/*.png", "/a/b.png", false), ("*/a/*.png", "/x/a/b.png", true), ("/x/*", "/x/a/b", true),
    ("a/", "a/b", false), ("a/*", "./a/b", true), ("./a/*", "./a/b", true),
  ])
  func `a glob with a slash matches the path, and any other glob the file name`(
    pattern: String, path: String, isMatch: Bool
  ) {
    let path = FilePath(path)
    #expect(WalkOptions(including: [pattern]).selectsFile(path) == isMatch)
    #expect(WalkOptions(excluding: [pattern]).selectsFile(path) == !isMatch)
    #expect(WalkOptions(excluding: [pattern]).isExcluded(path) == isMatch)
    #expect(!WalkOptions(including: [pattern]).isExcluded(path))
  }

  @Test func `one matching --include is enough, and --exclude takes precedence`() {
    // A name that is not UTF-8 is matched by its bytes.
    let invalid = FilePath([0xFF, 0x2A])
    var options = WalkOptions(including: ["*.png", "*.jpg"], excluding: ["b.*", "c.*"])
    options.includes.append(invalid)
    let paths = ["a.png", "a.jpg", "a.gif", "b.png", "c.jpg"].map { FilePath($0) }
    let others = [FilePath([0xFF, 0x2E, 0x61]), FilePath([0xFE, 0x2E, 0x61])]
    let taken = (paths + others).filter { options.selectsFile($0) }
    #expect(taken == [paths[0], paths[1], others[0]])
  }
}

@Suite struct ShardTests {
  @Test func `every path is in one shard, and shards have about the same size`() throws {
    let shards = try (1...5).map { try #require(Shard("\($0)/5")) }
    let paths = (0..<1000).map { FilePath("a/\($0).png") }
    let parts = shards.map { shard in paths.filter(shard.contains) }
    #expect(parts.reduce(0) { $0 + $1.count } == 1000 && Set(parts.flatMap(\.self)).count == 1000)
    #expect(parts.allSatisfy { 150...250 ~= $0.count })
  }

  @Test func `the path in the record determines the shard`() throws {
    let directory = TemporaryDirectory()
    let names = (10..<30).map { "\($0).png" }
    for name in names { try directory.write("d/\(name)") }
    let run = try Program(
      ["encode", "--relative-to=d", "--shard=1/2", "d"], directory: directory.path)
    let shard = try #require(Shard("1/2"))
    #expect(try run.paths == names.filter { shard.contains(FilePath($0)) })
  }

  @Test func `the shard hash is FNV-1a`() throws {
    // The published hash of "foobar" is 85944171f73967e8.
    let index = 0x8594_4171_F739_67E8 as UInt64 % 97 + 1
    #expect(try #require(Shard("\(index)/97")).contains(FilePath("foobar")))
  }

  @Test(arguments: [
    "", "1", "0/2", "3/2", "1/0", "1/2/3", "a/b", "-1/2", "+1/1", "1/+1", "1/1000000",
  ])
  func `a malformed or out-of-range shard is rejected`(text: String) {
    #expect(Shard(text) == nil)
  }
}
