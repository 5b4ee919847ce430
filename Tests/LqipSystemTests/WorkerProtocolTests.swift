import Testing

@testable import LqipSystem

@Suite struct WorkerProtocolTests {
  private static let sandbox = Sandbox(
    filtersCalls: true, hasLandlock: false, refusal: SystemError(number: EPERM))

  @Test func `a ready worker reports its process ID and its sandbox`() throws {
    let event = try WorkerEvent.parse(WorkerEvent.ready(42, Self.sandbox).bytes)
    guard case .ready(42, Self.sandbox) = event else {
      Issue.record("\(event)")
      return
    }
  }

  @Test func `replies are parsed in order`() throws {
    let event = try WorkerEvent.parse(WorkerEvent.replies([[1], [], [2, 3]]).bytes)
    guard case .replies([[1], [], [2, 3]]) = event else {
      Issue.record("\(event)")
      return
    }
  }

  @Test(arguments: [WorkerEvent.ready(42, sandbox), .replies([[1], [2, 3]]), .ended(11)])
  func `a truncated message or one with trailing data is malformed`(event: WorkerEvent) {
    let bytes = event.bytes
    for count in 0..<bytes.count {
      #expect(throws: MalformedMessage()) { try WorkerEvent.parse(Array(bytes.prefix(count))) }
    }
    #expect(throws: MalformedMessage()) { try WorkerEvent.parse(bytes + [0]) }
  }

  @Test func `a reply above the size limit is malformed`() {
    var writer = MessageWriter()
    for byte: UInt8 in [1, 1, 1] { writer.add(byte) }
    writer.add([UInt8](repeating: 0, count: WorkerSettings.replyLimit + 1))
    #expect(throws: MalformedMessage()) { try WorkerEvent.parse(writer.bytes) }
  }

  @Test func `a message with another format version is malformed`() {
    var bytes = WorkerEvent.ended(0).bytes
    bytes[0] += 1
    #expect(throws: MalformedMessage()) { try WorkerEvent.parse(bytes) }
  }

  @Test func `requests round-trip through their encoding`() throws {
    var writer = MessageWriter()
    WorkerRequest(source: .file, bytes: [1, 2]).add(to: &writer)
    WorkerRequest(source: .memory(7), bytes: []).add(to: &writer)
    let requests = try WorkerRequest.parse(writer.bytes)
    #expect(requests.map(\.source) == [.file, .memory(7)])
    #expect(requests.map(\.bytes) == [[1, 2], []])
  }

  @Test(arguments: [UInt64.min, 1, 255, 256, 1 << 40, .max])
  func `integers of all widths round-trip`(value: UInt64) throws {
    var writer = MessageWriter()
    writer.add(value)
    writer.add(Int32(truncatingIfNeeded: value))
    writer.add(UInt8(truncatingIfNeeded: value))
    var reader = MessageReader(writer.bytes)
    #expect(try reader.integer(UInt64.self) == value)
    #expect(try reader.integer(Int32.self) == Int32(truncatingIfNeeded: value))
    #expect(try reader.integer(UInt8.self) == UInt8(truncatingIfNeeded: value))
    #expect(reader.isAtEnd)
  }
}
