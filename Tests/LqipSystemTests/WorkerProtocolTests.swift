import Testing

@testable import LqipSystem

@Suite struct WorkerProtocolTests {
  private static let sandbox = Sandbox(
    filtersCalls: true, hasLandlock: false, refusal: SystemError(number: EPERM))

  @Test(arguments: [WorkerEvent.ready(42, sandbox), .replies([[1], [2, 3]]), .ended(11)])
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
    for byte: UInt8 in [1, 1] { writer.add(byte) }
    writer.add([UInt8](repeating: 0, count: WorkerSettings.replyLimit + 1))
    #expect(throws: MalformedMessage()) { try WorkerEvent.parse(writer.bytes) }
  }
}
