import Foundation
import PlaceholdersTestSupport
import Testing

@testable import LqipRecords

@Suite struct JSONTests {
  private func text(_ json: JSON) -> String {
    String(decoding: json.bytes, as: UTF8.self)
  }

  @Test func `values are written without spaces and in order`() {
    let json = JSON.object([
      ("b", .integer(-1)), ("a", .array([.boolean(true), .boolean(false)])),
      ("c", .object([])), ("d", .array([])),
    ])
    #expect(text(json) == #"{"b":-1,"a":[true,false],"c":{},"d":[]}"#)
  }

  @Test(arguments: [
    ("plain é 🙂", #""plain é 🙂""#), ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#),
    ("\0\u{1F} \u{7F}\u{9F}\u{A0}", "\"\\u0000\\u001f \\u007f\\u009f\u{A0}\""),
    ("\u{2028}\u{2029}", #""\u2028\u2029""#), ("", #""""#),
  ])
  func `strings are escaped`(string: String, expected: String) {
    #expect(text(.string(string)) == expected)
  }

  @Test(arguments: [
    (1.0, "1.0"), (4.0 / 3, "1.3333333333333333"), (65500.0, "65500.0"), (0.00005, "5e-05"),
  ])
  func `numbers have the fewest digits that read back`(number: Double, expected: String) throws {
    #expect(text(.number(number)) == expected)
    let read = try JSONSerialization.jsonObject(with: Data("[\(expected)]".utf8)) as? [Double]
    #expect(read == [number])
  }

  @Test func `every character survives an independent reader`() throws {
    var string = ""
    for value in (0...0xFFFF as ClosedRange<UInt32>) {
      if let scalar = Unicode.Scalar(value) { string.unicodeScalars.append(scalar) }
    }
    let read = try JSONSerialization.jsonObject(with: Data(JSON.array([.string(string)]).bytes))
    let first = try #require((read as? [String])?.first)
    #expect(first.unicodeScalars.elementsEqual(string.unicodeScalars))
  }
}
