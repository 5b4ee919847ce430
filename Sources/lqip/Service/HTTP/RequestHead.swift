import LqipOptions
import LqipRecords
import LqipSystem

/// A header field or a query parameter.
typealias HeaderField = (name: String, value: String)

/// The head of a request: method, target and header fields.
struct RequestHead: Sendable {
  let method: String
  /// The percent-decoded path, without the query.
  let path: String
  /// The query parameters in order, percent-decoded.
  let query: [HeaderField]
  /// The header fields in order, with names in lower case.
  let fields: [HeaderField]
  /// The request target as sent.
  var target = "/"
  var version = "HTTP/1.1"

  /// The client's ID of the request, if it is safe to repeat in logs and in the response.
  var id: String? {
    self[field: "x-request-id"].flatMap { id in
      let isSafe = id.utf8.allSatisfy { $0.isASCIIAlphanumeric || "._-".utf8.contains($0) }
      return (1...128).contains(id.utf8.count) && isSafe ? id : nil
    }
  }

  /// The first value of a header field.
  subscript(field name: String) -> String? { fields.first { $0.name == name }?.value }

  func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// Returns the words of all header fields with the given name, separated by commas or blanks.
  func list(_ name: String) -> [Substring] {
    values(name).flatMap { $0.split { ", \t".contains($0) } }
  }

  /// Returns whether `If-None-Match` matches a strong entity tag, by the weak comparison of RFC 9110, section 13.1.2.
  func knows(_ tag: String) -> Bool {
    list("if-none-match").contains { $0 == "*" || $0 == tag || $0 == "W/\(tag)" }
  }

  /// Returns the strong entity tag for bytes that determine a response.
  static func entityTag(for bytes: [UInt8]) -> String { "\"\(SHA256Digest(of: bytes).hex)\"" }
}

/// A parser of request queries, driven by option tables like those of commands.
enum QueryParameters {
  /// Applies the parameters of a query to settings; each is named like its option, without dashes.
  ///
  /// `exact`, `exact=true` and `exact=1` set a flag; `exact=false` and `exact=0` have no effect.
  static func read<Settings>(
    _ query: [HeaderField], into settings: inout Settings,
    by table: [CommandOption<Settings>]
  ) throws(Problem) {
    var seen: Set<String> = []
    for (name, value) in query {
      guard let option = table.first(where: { $0.name == "--\(name)" }) else {
        let names = table.map { "\($0.name.dropFirst(2))" }.joined(separator: ", ")
        throw .badParameter("unknown parameter '\(name)'; supported: \(names)")
      }
      guard seen.insert(name).inserted else { throw .badParameter("duplicate parameter '\(name)'") }
      guard option.apply(&settings, CommandArgument(value)) else {
        throw .badParameter("\(option.text.invalidValue(value, for: name))")
      }
    }
  }
}
