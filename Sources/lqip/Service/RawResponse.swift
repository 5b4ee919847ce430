internal import CLqipMicroHTTPD
internal import LqipFiles

/// A response that is written to the socket directly, where the library would send its own or none.
struct RawResponse: Sendable {
  private let bytes: [UInt8]

  /// The response to a client that is too slow.
  static let slowClient = RawResponse(
    Problem(
      status: 408, code: "slow_client", detail: "the request took too long to arrive"
    ))

  /// Prepares a response that ends its connection.
  init(_ problem: Problem, fields: [(name: String, value: String)] = []) {
    let response = problem.response
    var text = "HTTP/1.1 \(problem.status) \(problem.title)\r\nconnection: close\r\n"
    for (name, value) in response.fields + fields { text += "\(name): \(value)\r\n" }
    text += "content-length: \(response.body.count)\r\n\r\n"
    bytes = Array(text.utf8) + response.body
  }

  /// Writes what fits at once, to a socket without encryption.
  ///
  /// - Returns: How many bytes that were.
  @discardableResult
  func send(to descriptor: Int32) -> Int {
    unsafe bytes.withUnsafeBytes {
      unsafe sendto(
        descriptor, $0.baseAddress, $0.count, lqip_do_not_wait | lqip_no_signal, nil, 0)
    }
  }
}
