@testable import LqipService

extension Request {
  /// A request with a body.
  init(head: RequestHead, body: [UInt8]) {
    let bytes = BodyBytes()
    precondition(bytes.reserve(body.count))
    unsafe body.withUnsafeBytes { unsafe bytes.append($0) }
    self.init(head: head, body: bytes)
  }
}

extension BodyBytes {
  /// A copy of them.
  var array: [UInt8] {
    withSpan { bytes in bytes.indices.map { bytes[$0] } }
  }
}
