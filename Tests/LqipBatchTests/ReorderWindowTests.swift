import PlaceholdersTestSupport
import Testing

@testable import LqipBatch

@Suite struct ReorderWindowTests {
  @Test func `results come out in the order of their beginning`() {
    var window = ReorderWindow<Int>(capacity: 100)
    let places = (0..<100).map { _ in window.begin() }
    var results: [Int] = []
    for place in places.shuffled() {
      window.finish(place, with: place)
      while let result = window.next() { results.append(result) }
    }
    #expect(results == Array(0..<100))
    #expect(window.isEmpty)
  }

  @Test func `a full window has room again when its oldest result is taken`() {
    var window = ReorderWindow<String>(capacity: 2)
    let first = window.begin()
    let second = window.begin()
    #expect(!window.hasRoom)
    window.finish(second, with: "second")
    #expect(window.next() == nil)
    #expect(!window.hasRoom)
    window.finish(first, with: "first")
    #expect(window.next() == "first")
    #expect(window.hasRoom)
    #expect(!window.isEmpty)
    #expect(window.next() == "second")
    #expect(window.isEmpty)
  }

  @Test func `beginning more than fits is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      var window = ReorderWindow<Int>(capacity: 1)
      _ = window.begin()
      _ = window.begin()
    }
  }
}
