import Foundation
import Placeholders
import Testing

@Suite struct BlurHashCodableTests {
  private let text = "[\"LEHV6nWB2yk8pyo0adR*.7kCMdnj\"]"

  @Test func `a value is coded as its text`() throws {
    let value = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
    #expect(String(decoding: try JSONEncoder().encode([value]), as: UTF8.self) == text)
  }

  @Test func `the text is read back`() throws {
    let value = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
    #expect(try JSONDecoder().decode([BlurHash].self, from: Data(text.utf8)) == [value])
  }

  @Test(arguments: ["[\"LEHV6nWB2yk8pyo0adR*.7kCMdn\"]", "[1]", "[null]", "[{}]"])
  func `anything else is an error of decoding`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([BlurHash].self, from: Data(json.utf8))
    }
  }
}
