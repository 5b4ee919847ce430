import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords

@Suite struct JSONCursorTests {
  private func isRead(_ text: [UInt8]) -> Bool {
    var cursor = JSONCursor(text, text.indices)
    do {
      try cursor.skipValue()
      try cursor.finish()
      return true
    } catch {
      return false
    }
  }

  @Test(arguments: [
    "{}", "[]", #"{"a":1}"#, #"{"a":[1,{"b":null}],"c":"d"}"#, "0", "-0.5e+10", "12E-3", "true",
    "false", "null", #""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude42""#, "\"é🙂\"",
  ])
  func `compact JSON is read`(text: String) throws {
    #expect(isRead(Array(text.utf8)))
    _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  }

  @Test(arguments: [
    "", "{", "}", "[1,]", "[,1]", "[1 ,2]", "{\"a\":}", "{\"a\"}", "{a:1}", "{\"a\":1,}", "{} ",
    "01", "-", "1.", ".5", "+1", "1e", "--1", "tru", "truee", "nul", "\"", "\"\\\"", "\"\\x\"",
    "\"\\u12g4\"", "\"\\u123\"", "\"\\ud83d\"", "\"\\ud83dx\"", "\"\\ude42\"", "\"\\ud83d\\u0041\"",
    "\"\n\"", "\"\0\"", "{}{}", "\"\\u１234\"", "[[[[[[[[[1]]]]]]]]]",
  ])
  func `anything else is refused`(text: String) {
    #expect(!isRead(Array(text.utf8)))
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    #expect(!isRead([0x22, 0xFF, 0x22]))
    #expect(!isRead([0x22, 0xED, 0xA0, 0x80, 0x22]))
  }

  @Test(arguments: [
    (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"\u00E9\u00e9\u2028x"#, "éé\u{2028}x"),
    (#"\ud83d\ude42\uD834\uDD1E"#, "🙂𝄞"), ("é", "é"), (#"é\u0000"#, "é\0"), ("", ""),
  ])
  func `escapes stand for their characters`(text: String, expected: String) throws {
    let bytes = Array("\"\(text)\"".utf8)
    let characters = try JSONCursor.unescaped(bytes, 1..<(bytes.count - 1))
    #expect(Array(characters) == Array(expected.utf8))
    let read = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    #expect(read as? String == expected)
  }
}
