import LqipSystem

/// The head of a request: method, target and header fields.
struct RequestHead: Sendable {
  /// The method as sent, such as `GET`.
  let method: String
  /// The percent-decoded path, without the query.
  let path: String
  /// The query parameters in order, percent-decoded.
  let query: [HeaderField]
  /// The header fields in order, with names in lower case.
  let fields: [HeaderField]
  /// The request ID in logs and in the response: the client's, or a generated one.
  let id: String
  /// The request target as sent.
  var target = "/"
  /// The HTTP version as sent.
  var version = "HTTP/1.1"

  /// The first value of a header field; `nil` if the field is missing.
  subscript(field name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// Returns the values of all header fields with the given name.
  func values(_ name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
  }

  /// Returns the elements of all comma-separated header fields with the given name.
  func list(_ name: String) -> [Substring] {
    values(name).flatMap { $0.split(separator: ",") }.map(\.trimmingBlanks).filter { !$0.isEmpty }
  }
}

extension Substring {
  /// The text without leading and trailing spaces and tabs.
  var trimmingBlanks: Substring {
    let isText = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
    guard let first = utf8.firstIndex(where: isText), let last = utf8.lastIndex(where: isText)
    else { return "" }
    return self[first..<utf8.index(after: last)]
  }
}

/// The source of request IDs for logs and responses.
enum RequestIdentifier {
  /// Returns the client's ID if it is safe to repeat, otherwise a random one.
  static func identifier(given: String?) -> String {
    guard let given, (1...128).contains(given.utf8.count), given.utf8.allSatisfy(isSafe) else {
      return generated()
    }
    return given
  }

  private static func isSafe(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "._-".utf8.contains(byte)
  }

  private static func generated() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
