import LqipSystem

/// What a client says before the body of its request.
struct RequestHead: Sendable {
  /// The method as it was sent, such as `GET`.
  let method: String
  /// The path with its percent escapes resolved, without the query.
  let path: String
  /// The query's parameters in their order, with their escapes resolved.
  let query: [HeaderField]
  /// The header fields in their order, with their names in lower case.
  let fields: [HeaderField]
  /// The request's ID in logs and in the response: the client's, or one of ours.
  let id: String

  /// The value of a header field, which is not there or there once.
  subscript(field name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// The elements of a field that is a list, from all the lines that it is spread over.
  func list(_ name: String) -> [Substring] {
    fields.filter { $0.name == name }
      .flatMap { $0.value.split(separator: ",") }.map(\.trimmingBlanks).filter { !$0.isEmpty }
  }
}

extension Substring {
  /// The text without the spaces and tabs at its ends.
  var trimmingBlanks: Substring {
    let isText = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
    guard let first = utf8.firstIndex(where: isText), let last = utf8.lastIndex(where: isText)
    else { return "" }
    return self[first..<utf8.index(after: last)]
  }
}

/// Makes the ID of a request for logs and its response.
enum RequestIdentifier {
  /// The client's own ID if it is harmless to repeat, or else a random one.
  static func identifier(given: String?) -> String {
    guard let given, (1...128).contains(given.utf8.count), given.utf8.allSatisfy(isHarmless) else {
      return made()
    }
    return given
  }

  private static func isHarmless(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "._-".utf8.contains(byte)
  }

  private static func made() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The first line of a request as the library has read it, and what there is to say of the rest.
struct RequestLine: Sendable {
  /// The method as it was sent, such as `GET`.
  let method: String
  /// The path with its percent escapes resolved, without the query.
  let path: String
  /// The version as it was sent, such as `HTTP/1.1`.
  let version: String
  /// Whether all that follows is written as RFC 9112 demands.
  let isHeadStrict: Bool
}
