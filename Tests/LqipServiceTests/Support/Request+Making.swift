@testable import LqipRecords
@testable import LqipService

extension Request {
  /// A request with a body.
  init(decodingHere head: RequestHead, _ body: [UInt8]) {
    let bytes = BodyBytes()
    precondition(bytes.reserve(body.count))
    unsafe body.withUnsafeBytes { unsafe bytes.append($0) }
    self.init(head: head, body: bytes) { task, bytes, _ in task.reply(for: bytes) }
  }
}

extension BodyBytes {
  /// A copy of them.
  var array: [UInt8] {
    withSpan { bytes in bytes.indices.map { bytes[$0] } }
  }
}
