import Testing

@testable import PlaceholderEncoding

@Suite struct SpanTextTests {
  private static func starts(
    _ bytes: String, with text: StaticString, at offset: Int = 0
  ) -> Bool {
    Array(bytes.utf8).span.starts(with: text, at: offset)
  }

  @Test func `text in a span is found only at its offset`() {
    for offset in 0...14 {
      #expect(Self.starts("RIFF1234WEBP", with: "WEBP", at: offset) == (offset == 8))
    }
    #expect(Self.starts("RIFF", with: "RIFF"))
  }

  @Test func `text longer than the span is not found`() {
    #expect(!Self.starts("RIFF", with: "RIFF1"))
    #expect(!Self.starts("", with: "R"))
    #expect(Self.starts("", with: ""))
  }
}
