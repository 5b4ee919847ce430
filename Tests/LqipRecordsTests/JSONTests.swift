import Foundation
import PlaceholderEncoding
import LqipTestSupport
import Testing

@testable import LqipRecords

@Suite struct JSONTests {
  private func text(_ json: JSON) -> String {
    String(decoding: json.bytes, as: UTF8.self)
  }

  @Test func `object members are written in order, without spaces`() {
    let json = JSON.object([
      ("b", .integer(-1)), ("a", .array([.boolean(true), .boolean(false)])),
      ("c", .object([])), ("d", .array([])),
    ])
    #expect(text(json) == #"{"b":-1,"a":[true,false],"c":{},"d":[]}"#)
    // Numbers are written with the fewest digits that round-trip.
    let numbers = [1.0, 4.0 / 3, 65500, 0.00005]
    #expect(text(.array(numbers.map { .number($0) })) == "[1.0,1.3333333333333333,65500.0,5e-05]")
  }

  @Test(arguments: [
    ("plain é 🙂", #""plain é 🙂""#), ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#),
    ("\0\u{1F} \u{7F}\u{9F}\u{A0}", "\"\\u0000\\u001f \\u007f\\u009f\u{A0}\""),
    ("\u{2028}\u{2029}", #""\u2028\u2029""#), ("", #""""#),
  ])
  func `special characters in strings are escaped`(string: String, expected: String) {
    #expect(text(.string(string)) == expected)
  }

  @Test func `every character up to U+FFFF round-trips through Foundation and the parser`() throws {
    var string = ""
    for value in (0...0xFFFF as ClosedRange<UInt32>) {
      if let scalar = Unicode.Scalar(value) { string.unicodeScalars.append(scalar) }
    }
    let bytes = JSON.array([.string(string)]).bytes
    let read = try JSONSerialization.jsonObject(with: Data(bytes))
    let first = try #require((read as? [String])?.first)
    #expect(first.unicodeScalars.elementsEqual(string.unicodeScalars))
    #expect(try JSON(parsing: bytes).bytes == bytes)
  }

  /// Converts a value to Foundation types.
  private func object(_ json: JSON) -> NSObject {
    switch json {
    case .string(let text): text as NSString
    case .integer(let number): NSNumber(value: number)
    case .number(let number): NSNumber(value: number)
    case .boolean(let flag): NSNumber(value: flag)
    case .null: NSNull()
    case .array(let elements): elements.map { object($0) } as NSArray
    case .object(let members):
      Dictionary(members.map { ($0.name, object($0.value)) }) { $1 } as NSDictionary
    }
  }

  private func reference(_ text: [UInt8]) throws -> NSObject? {
    try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed) as? NSObject
  }

  @Test(arguments: [
    "{}", "[]", " { \"a\" : 1 , \"b\":[ ] }\r\n\t", #"{"a":[1,{"b":true}],"c":"d"}"#, "0", "-0",
    "10",
    "-0.5e+10", "12E-3", "1.50", "9223372036854775807", "9223372036854775808", "true", "false",
    #""\"\\\/\b\f\n\r\t\u00e9\u00E9\u2028\ud83d\ude42\uD834\uDD1E\u0000""#, "\"é🙂\"", "\"\u{7F}\"",
    "[[[[[[[[1]]]]]]]]", "null", "[1,null]",
  ])
  func `the parser agrees with Foundation on valid JSON`(text: String) throws {
    let bytes = Array(text.utf8)
    #expect(try object(JSON(parsing: bytes)) == reference(bytes))
  }

  @Test(arguments: [
    "", " ", "{", "}", "[1,]", "[,1]", "[1 2]", "{\"a\":}", "{\"a\"}", "{a:1}", "{\"a\":1,}", "{,}",
    "01", "-", "-01", "1.", ".5", "+1", "1e", "1e+", "1.e5", "--1", "0x10", "0X1", "1e999", "1_0",
    "1f", "nan", "infinity", "tru", "truee", "True", "Null", "nulll", "\"", "\"\\\"", "\"\\x\"",
    "\"\\u12g4\"", "\"\\u123\"", "\"\\ud83d\"", "\"\\ud83dx\"", "\"\\ude42\"",
    "\"\\ud83d\\u0041\"", "\"\n\"", "\"\0\"", "{}{}", "\"\\u１234\"", "[[[[[[[[[1]]]]]]]]]", "１",
    "\u{FEFF}1",
  ])
  func `invalid JSON is rejected`(text: String) {
    #expect(throws: JSON.ParsingError.self) { try JSON(parsing: Array(text.utf8)) }
    for bytes: [UInt8] in [[0xFF], [0xED, 0xA0, 0x80], [0xC3]] {
      #expect(throws: JSON.ParsingError.self) { try JSON(parsing: [0x22] + bytes + [0x22]) }
    }
  }

  /// Returns all variants of a text with one byte replaced, inserted or removed.
  private func mutations(of text: [UInt8]) -> [[UInt8]] {
    let insertions = Array("\"\\,:{}[]\r\n0eE.x-u ".utf8) + [0xFF, 0xC3]
    return text.indices.flatMap { index in
      let (head, tail) = (text[..<index], text[(index + 1)...])
      let flipped = (0..<8).map { text[index] ^ 1 << UInt8($0) }
      return (insertions + flipped).map { head + [$0] + tail }
        + insertions.map { head + [$0] + text[index...] } + [head + tail]
    }.map { Array($0) }
  }

  @Test func `the parser rejects a corrupt record or agrees with Foundation`() throws {
    let layout = RecordLayout(.ndjson, profile: .mastodon)
    let entries = [
      layout.entry(for: Samples.image([0x61, 0xFF])),
      layout.entry(for: Samples.failure(Array("\u{2028}é".utf8))),
    ]
    var count = 0
    for text in entries.flatMap(mutations) {
      guard let json = try? JSON(parsing: text) else { continue }
      count += 1
      #expect(try object(json) == reference(text), "\(String(decoding: text, as: UTF8.self))")
    }
    #expect(count > 1000)
  }
}
