import Foundation
import PlaceholdersTestSupport

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipService
@testable import LqipSystem

/// A router with the settings of a server.
struct TestService {
  var limits = LimitOptions()
  var tokens: TokenFile?
  var origins: [String] = []
  var isLoopback = false
  let metrics = Metrics()
  let isDraining = Monitor(false)

  var router: Router {
    Router(
      limits: limits, tokens: tokens, origins: origins, isLoopback: isLoopback, metrics: metrics,
      isDraining: isDraining)
  }

  /// Returns the response to a request; the query of the target is not percent-decoded.
  func response(
    _ method: String, _ target: String, _ fields: KeyValuePairs<String, String> = [:],
    _ body: [UInt8] = []
  ) -> Response {
    response(to: RequestHead(method, target, fields), body)
  }

  /// Returns the response to a form; a part without a name is a field that is not a file.
  func response(
    _ fields: KeyValuePairs<String, String> = [:], form parts: [(name: String?, content: [UInt8])]
  ) -> Response {
    var body: [UInt8] = []
    for (name, content) in parts {
      let fileName = name.map { "; filename=\"\($0)\"" } ?? ""
      body += Array("--xyz\r\ncontent-disposition: form-data; name=a\(fileName)\r\n\r\n".utf8)
      body += content + Array("\r\n".utf8)
    }
    let head = RequestHead(
      "POST", "/v1/encode", fields, contentType: "multipart/form-data; boundary=xyz")
    return response(to: head, body + Array("--xyz--\r\n".utf8))
  }

  /// Decodes images in this process.
  func response(to head: RequestHead, _ body: [UInt8] = []) -> Response {
    var response = refusal(of: head) ?? handled(head, body)
    response.fields += router.fields(for: head)
    return response
  }

  /// Returns the response to a head; nil if the route would read the body.
  func refusal(of head: RequestHead) -> Response? {
    if case .respond(let response) = router.admit(head).0 { response } else { nil }
  }

  private func handled(_ head: RequestHead, _ body: [UInt8]) -> Response {
    guard case .handle(let handler) = router.admit(head).0 else {
      preconditionFailure("the request was refused")
    }
    let received = RequestBody(
      expecting: nil, maximum: handler.maximumBodyByteCount,
      budget: BodyBudget(byteCount: .max))
    do throws(Problem) {
      try received.append(body)
      return try handler.respond(received) { task, bytes, _ in task.reply(for: bytes) }
    } catch {
      return error.response
    }
  }
}

extension RequestBody {
  func append(_ bytes: [UInt8]) throws(Problem) {
    try unsafe bytes.withUnsafeBufferPointer { buffer throws(Problem) in
      try unsafe append(UnsafeRawBufferPointer(buffer))
    }
  }

  /// A copy of the bytes.
  var array: [UInt8] {
    withSpan { bytes in bytes.indices.map { bytes[$0] } }
  }
}

extension RequestHead {
  init(
    _ method: String, _ target: String, _ fields: KeyValuePairs<String, String> = [:],
    contentType: String? = nil
  ) {
    let parts = target.split(separator: "?", maxSplits: 1)
    let query = parts.dropFirst().first?.split(separator: "&") ?? []
    self.init(
      method: method, path: String(parts.first ?? ""),
      query: query.map { parameter in
        let sides = parameter.split(separator: "=", maxSplits: 1).map(String.init)
        return (sides[0], sides.dropFirst().first ?? "")
      },
      fields: fields.map { ($0.key, $0.value) }
        + (contentType.map { [("content-type", $0)] } ?? []))
  }
}

extension Response {
  /// The values of all header fields with this name.
  subscript(_ name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
  }

  var text: String {
    String(decoding: body, as: UTF8.self)
  }

  /// The body, parsed by an independent JSON parser.
  var object: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }

  /// Returns whether the response is an RFC 9457 problem with this status, code and outcome.
  func isProblem(_ status: Int, _ code: String) -> Bool {
    self.status == status && object["status"] as? Int == status && object["code"] as? String == code
      && outcome == code && self["content-type"] == ["application/problem+json"]
      && self["cache-control"] == ["no-store"]
  }

  var detail: String? {
    object["detail"] as? String
  }
}
