/// Puts results that finish in any order back into the order in which they were begun.
///
/// It holds no more than its capacity, counted from the oldest unfinished result; whoever begins
/// new work asks `hasRoom` first.
package struct ReorderWindow<Element> {
  private let capacity: Int
  private var begun = 0
  private var taken = 0
  private var waiting: [Int: Element] = [:]

  package init(capacity: Int) {
    precondition(capacity > 0, "a window without room never opens")
    self.capacity = capacity
  }

  /// Whether everything that was begun has been taken out.
  package var isEmpty: Bool {
    begun == taken
  }

  /// Whether the next result of the order is there.
  package var isReady: Bool {
    waiting[taken] != nil
  }

  /// Whether more work may begin before the oldest result is there.
  package var hasRoom: Bool {
    begun - taken < capacity
  }

  /// Gives the next place in the order.
  package mutating func begin() -> Int {
    precondition(hasRoom, "the window is full")
    defer { begun += 1 }
    return begun
  }

  /// Puts a result into its place.
  package mutating func finish(_ place: Int, with element: Element) {
    precondition(place >= taken && place < begun, "only a place that was begun can finish")
    waiting[place] = element
  }

  /// The results that are there, in their order, whatever is missing between them.
  package var finished: [Element] {
    waiting.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Takes out the next result of the order, if it is there.
  package mutating func next() -> Element? {
    guard let element = waiting.removeValue(forKey: taken) else { return nil }
    taken += 1
    return element
  }
}
