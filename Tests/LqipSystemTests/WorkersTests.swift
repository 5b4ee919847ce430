import LqipTestSupport
import Testing

@testable import LqipSystem

@Suite struct ResourceQueueTests {
  @Test func `threads get resources in the order of their requests`() throws {
    let queue = ResourceQueue([()], lengthLimit: 8, deadline: .seconds(60))
    let order = Monitor<[Int]>([])
    let isOpen = Monitor(false)
    for number in 0...8 {
      try SystemThread.start {
        try? queue.withResource { _ in
          order.update { $0.append(number) }
          _ = isOpen.wait(until: nil) { $0 ? true : nil }
        }
      }
      let deadline = MonotonicTime.now + .seconds(20)
      while queue.lentCount == 0 || queue.length < number {
        try #require(.now < deadline)
        SystemThread.sleep(for: .milliseconds(1))
      }
    }
    #expect(throws: QueueRefusal.full) { try queue.withResource { _ in } }
    isOpen.update { $0 = true }
    let all = order.wait(until: .now + .seconds(20)) { $0.count == 9 ? $0 : nil }
    #expect(all == Array(0...8))
  }
}

@Suite struct WorkerProtocolTests {
  private static let sandbox = Sandbox(
    filtersCalls: true, hasLandlock: false, refusal: SystemError(number: EPERM))

  @Test(arguments: [WorkerEvent.ready(42, sandbox), .reply(.max - 1, [1, 2]), .ended(11)])
  func `an event round-trips, and is malformed if truncated or extended`(event: WorkerEvent) throws
  {
    let bytes = event.bytes
    #expect(try WorkerEvent.parse(bytes).bytes == bytes)
    for count in 0..<bytes.count {
      #expect(throws: MalformedMessage()) { try WorkerEvent.parse(Array(bytes.prefix(count))) }
    }
    #expect(throws: MalformedMessage()) { try WorkerEvent.parse(bytes + [0]) }
  }

  @Test func `a reply above the size limit is malformed`() {
    var writer = MessageWriter()
    writer.add(UInt8(1))
    writer.add(UInt64(7))
    writer.add([UInt8](repeating: 0, count: WorkerSettings.replyLimit + 1))
    #expect(throws: MalformedMessage()) { try WorkerEvent.parse(writer.bytes) }
  }
}
