import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct Base64Tests {
  @Test(arguments: 0...70)
  func `Base64 matches Foundation`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 197 + 250) }
    #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
    #expect(Base64.decode(Data(bytes).base64EncodedData()) == bytes)
  }

  @Test(arguments: [
    "YQ", "YQ=", "YR==", "YQ==\n", "Y Q==", "=YQ=", "Y", "Y===", "YQ==YQ==", "Y-==",
  ])
  func `invalid base64 is rejected`(text: String) {
    #expect(Base64.decode(text.utf8) == nil)
  }
}

@Suite struct PlaceholderTextTests {
  private static func expectString<Value: PlaceholderText & Codable>(
    _ value: Value, rejecting malformed: String
  ) throws {
    let json = try JSONEncoder().encode([value])
    #expect(try JSONDecoder().decode([String].self, from: json) == [value.description])
    #expect(try JSONDecoder().decode([Value].self, from: json) == [value])
    for other in ["[\"\(malformed)\"]", "[1]", "[null]", "[{}]"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([Value].self, from: Data(other.utf8))
      }
    }
  }

  @Test func `placeholders and colors are JSON strings, and malformed ones are rejected`() throws {
    try Self.expectString(
      BlurHash(parsing: "LEHV6nWB2yk8pyo0adR*.7kCMdnj"), rejecting: "LEHV6nWB2yk8pyo0adR*.7kCMdn")
    try Self.expectString(LQIP(parsing: "#36b37520 #01234567"), rejecting: "#36b37520 ")
    try Self.expectString(LQIP.PackedColors(parsing: "#36b37520"), rejecting: "#36b3752")
    try Self.expectString(SRGBColor(red: 51, green: 102, blue: 153), rejecting: "#33669")
    try Self.expectString(
      ThumbHash(parsing: "EfghDwQI9wiIh4hwj3CI+AiIgIAI94cP"), rejecting: "EfghDwQI")
  }
}
