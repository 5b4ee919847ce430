/// A header field value with parameters, such as `form-data; name="a"; filename="b"`.
///
/// Parsing never fails: malformed parameters are skipped.
///
/// Source: RFC 9110, section 5.6.6.
struct ParameterizedValue {
  /// The value before the parameters, in lower case.
  let name: String
  /// The parameters in order, with names in lower case.
  private var parameters: [(name: String, value: [UInt8])] = []

  /// Parses the bytes after the colon of a header field.
  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    name = rest.removeName { $0 == UInt8(ascii: ";") }
    while rest.popFirst() != nil {
      let parameter = rest.removeName { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") }
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest.removeFirst()
      rest = rest.drop(while: Self.isBlank)
      let value: [UInt8]
      if rest.first == UInt8(ascii: "\"") {
        rest.removeFirst()
        value = Self.removeQuoted(from: &rest)
        // Skip any text between the closing quote and the next parameter.
        _ = rest.removeWord { $0 == UInt8(ascii: ";") }
      } else {
        value = Array(rest.removeWord { $0 == UInt8(ascii: ";") })
      }
      parameters.append((parameter, value))
    }
  }

  subscript(name: String) -> [[UInt8]] {
    parameters.filter { $0.name == name }.map(\.value)
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  /// Removes a quoted string, including the closing quote, and returns its content.
  ///
  /// Some clients escape quotes with backslashes, but browsers do not escape backslashes. A backslash is therefore
  /// literal unless a quote or another backslash follows.
  private static func removeQuoted(from rest: inout ArraySlice<UInt8>) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return value }
      let isEscape = byte == UInt8(ascii: "\\") && [byte, quote].contains(rest.first)
      value.append(isEscape ? rest.removeFirst() : byte)
    }
    return value
  }
}

extension ArraySlice<UInt8> {
  /// Removes the bytes before a terminator and returns them without surrounding blanks.
  fileprivate mutating func removeWord(upTo isEnd: (UInt8) -> Bool) -> Self {
    let end = firstIndex(where: isEnd) ?? endIndex
    let word = self[startIndex..<end].drop(while: ParameterizedValue.isBlank)
    self = self[end...]
    let last = word.lastIndex { !ParameterizedValue.isBlank($0) }
    return last.map { word[...$0] } ?? []
  }

  fileprivate mutating func removeName(upTo isEnd: (UInt8) -> Bool) -> String {
    String(decoding: removeWord(upTo: isEnd), as: UTF8.self).lowercased()
  }
}
