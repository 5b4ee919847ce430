import Foundation
import Placeholders
import Testing

@Suite struct PackedLQIPCodableTests {
  private let text = "[\"#36b37520\"]"

  @Test func `a value is coded as its text`() throws {
    let value = try PackedLQIP("#36b37520")
    #expect(String(decoding: try JSONEncoder().encode([value]), as: UTF8.self) == text)
  }

  @Test func `the text is read back`() throws {
    let value = try PackedLQIP("#36b37520")
    #expect(try JSONDecoder().decode([PackedLQIP].self, from: Data(text.utf8)) == [value])
  }

  @Test(arguments: ["[\"#36b3752\"]", "[1]", "[null]", "[{}]"])
  func `anything else is an error of decoding`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([PackedLQIP].self, from: Data(json.utf8))
    }
  }
}
