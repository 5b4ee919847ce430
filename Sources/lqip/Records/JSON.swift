/// A JSON value; the members of an object keep their order.
package enum JSON: Sendable {
  package typealias Member = (name: String, value: JSON)

  case string(String)
  case integer(Int)
  /// A finite number, in the fewest digits that read back as the same.
  case number(Double)
  case boolean(Bool)
  case array([JSON])
  case object([Member])

  /// The value as one line of UTF-8, without spaces.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .string(let text):
      Self.write(text, to: &output)
    case .integer(let number):
      output += String(number).utf8
    case .number(let number):
      output += number.description.utf8
    case .boolean(let flag):
      output += (flag ? "true" : "false").utf8
    case .array(let elements):
      Self.write(elements, between: "[", "]", to: &output) { $0.write(to: &$1) }
    case .object(let members):
      Self.write(members, between: "{", "}", to: &output) { member, output in
        Self.write(member.name, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between opening: Unicode.Scalar, _ closing: Unicode.Scalar,
    to output: inout [UInt8], _ body: (Element, inout [UInt8]) -> Void
  ) {
    output.append(UInt8(ascii: opening))
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      body(element, &output)
    }
    output.append(UInt8(ascii: closing))
  }

  /// Writes a string, with more escapes than JSON demands.
  ///
  /// Control characters and the Unicode line separators are escaped too, so that a record stays
  /// one line by every reader's idea of a line, and no file name can steer a terminal.
  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    defer { output.append(UInt8(ascii: "\"")) }
    // Most strings need no escapes.
    let start = output.count
    output += text.utf8
    if output[start...].allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }) { return }
    output.removeSubrange(start...)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\"".utf8
      case "\\": output += "\\\\".utf8
      case "\n": output += "\\n".utf8
      case "\r": output += "\\r".utf8
      case "\t": output += "\\t".utf8
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        output += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
      default: output += String(scalar).utf8
      }
    }
  }
}
