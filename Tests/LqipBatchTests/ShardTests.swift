import Testing

@testable import LqipBatch
@testable import LqipFiles

@Suite struct ShardTests {
  @Test func `every path lies in one part, whichever way it is written`() throws {
    let shards = try (1...5).map { try #require(Shard("\($0)/5")) }
    var counts = [Int](repeating: 0, count: 5)
    for number in 0..<1000 {
      let parts = shards.indices.filter { shards[$0].contains(FilePath("a/\(number).png")) }
      let others = shards.indices.filter { shards[$0].contains(FilePath("./a//\(number).png")) }
      #expect(parts.count == 1)
      #expect(parts == others)
      counts[parts[0]] += 1
    }
    #expect(counts.allSatisfy { 150...250 ~= $0 })
  }

  @Test func `the hash is FNV-1a`() throws {
    // The published hash of "foobar" is 85944171f73967e8.
    let index = 0x8594_4171_F739_67E8 as UInt64 % 97 + 1
    #expect(try #require(Shard("\(index)/97")).contains(FilePath("foobar")))
  }

  @Test(arguments: [
    "", "1", "0/2", "3/2", "1/0", "1/2/3", "a/b", "-1/2", "+1/1", "1/+1", "1/1000000",
  ])
  func `anything but a part and how many is refused`(text: String) {
    #expect(Shard(text) == nil)
  }
}
