import LqipTestSupport
import Testing

@testable import LqipBatch
@testable import LqipFiles
@testable import LqipRecords

@Suite struct EventOrderTests {
  private func order(unordered: Bool) -> EventOrder {
    EventOrder(capacity: 4, isUnordered: unordered) { $0.path.bytes }
  }

  private func record(_ name: String) -> BatchEncoder.Event {
    .record(Samples.image(Array(name.utf8)), rendered: Array(name.utf8))
  }

  private func names(_ events: [BatchEncoder.Event]) -> [String] {
    events.map { event in
      switch event {
      case .record(let record, let bytes):
        (record.failure == nil ? "" : "failed ") + String(decoding: bytes, as: UTF8.self)
      case .entered(let path): "into \(path)"
      case .noImages(let path): "none in \(path)"
      default: "other"
      }
    }
  }

  /// What comes of a directory of three images, the first of which takes long.
  private func steps(_ order: inout EventOrder) -> [[String]] {
    let directory = FilePath("d")
    let places = (0..<5).map { _ in order.begin() }
    var steps: [[String]] = []
    let all: [(Int, BatchEncoder.Event?)] = [
      (3, record("c")), (4, .noImages(directory)), (2, nil), (0, .entered(directory)),
      (1, record("a")),
    ]
    for (place, event) in all {
      order.finish(places[place], with: event)
      var events: [BatchEncoder.Event] = []
      while let event = order.next() { events.append(event) }
      steps.append(names(events))
    }
    return steps
  }

  @Test func `records wait for those before them`() {
    var order = EventOrder(capacity: 5, isUnordered: false) { $0.path.bytes }
    #expect(steps(&order) == [[], [], [], ["into d"], ["a", "c"]])
    #expect(order.isEmpty)
  }

  @Test func `without an order, records wait for nothing, and a directory for its images`() {
    var order = EventOrder(capacity: 5, isUnordered: true) { $0.path.bytes }
    #expect(steps(&order) == [["c"], [], [], ["into d"], ["a"]])
    #expect(order.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a directory of which nothing came has no images`(unordered: Bool) {
    var order = order(unordered: unordered)
    let (first, second) = (order.begin(), order.begin())
    order.finish(second, with: .noImages(FilePath("d")))
    order.finish(first, with: .entered(FilePath("d")))
    #expect(names(order.rest()) == ["into d", "none in d"])
  }

  @Test(arguments: [true, false])
  func `a link has the record of what it leads to, once that is there`(unordered: Bool) {
    var order = order(unordered: unordered)
    order.expectLinks()
    let (target, link, other) = (order.begin(), order.begin(), order.begin())
    order.finish(link, withLink: FilePath("b"), to: FilePath("./a"))
    order.finish(other, withLink: FilePath("c"), to: FilePath("x"))
    #expect(order.next() == nil)
    order.finish(target, with: record("a"))
    var events: [BatchEncoder.Event] = []
    while let event = order.next() { events.append(event) }
    #expect(names(events) == ["a", "b", "failed c"])
  }

  @Test func `only so many records are remembered, the last under each name`() {
    var records = RecentRecords()
    let failure = Samples.failure(Array("a".utf8))
    records.add(failure)
    records.add(Samples.image(Array("a".utf8)))
    let image = Samples.image([])
    for index in 0..<RecentRecords.capacity - 1 {
      records.add(PlaceholderRecord(path: FilePath("\(index)"), outcome: image.outcome))
    }
    let link = FilePath("link")
    #expect(records.record(ofLink: link, to: FilePath("a")).failure == nil)
    records.add(PlaceholderRecord(path: FilePath("last"), outcome: image.outcome))
    let lost = records.record(ofLink: link, to: FilePath("a"))
    #expect(lost.failure?.message.contains("hard link to a, which is not among") ?? false)
    #expect(records.record(ofLink: link, to: FilePath("0")).failure == nil)
  }
}
