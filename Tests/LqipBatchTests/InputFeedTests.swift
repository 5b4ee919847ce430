import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipBatch
@testable import LqipFiles
@testable import LqipRecords

@Suite struct InputFeedTests {
  private struct NoFiles: BatchSource {
    mutating func next() throws(CommandError) -> ImageWalker.Finding? { nil }
  }

  @Test(.timeLimit(.minutes(1)))
  func `records too large for what may wait are handed on, however few they are`() async throws {
    let directory = try TemporaryDirectory()
    let layout = RecordLayout(.ndjson, stamps: true)
    let text = String(repeating: "x", count: 100_000)
    let lines = (1000..<1600).map { "{\"path\":\"\($0)\",\"preview\":\"\(text)\"}\n" }
    let file = try directory.write("out", Array(lines.joined().utf8))
    let previous = try PreviousRecords(
      output: FileDescriptor(opening: FilePath(file), O_RDONLY), journal: nil, layout,
      RecordStamp.Style(settings: [], comparesContent: false), inOrder: true)
    #expect(previous.isMerged)
    let isReady = Monitor(false)
    let feed = try InputFeed(
      { () throws(CommandError) in NoFiles() }, knowing: previous, capacity: 1024
    ) {
      isReady.update { $0 = true }
    }
    var count = 0
    while let items = try feed.take() {
      for case .unvisited(let entries) in items { count += entries.count }
      guard items.isEmpty else { continue }
      let isTold = isReady.wait(until: .now + .seconds(50)) { isReady -> Bool? in
        defer { isReady = false }
        return isReady ? true : nil
      }
      try #require(isTold == true)
    }
    #expect(count == 600)
  }
}
