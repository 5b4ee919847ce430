import Testing

@testable import PlaceholderEncoding
@testable import LqipRecords

@Suite struct LimitOptionsTests {
  private static let values = [
    "--max-bytes": "10K", "--max-pixels": "5", "--max-memory": "1M", "--timeout": "1",
  ]

  @Test func `every limit except the timeout appears in the settings text`() {
    #expect(LimitOptions().text == [])
    var texts: [String: [String]] = [:]
    for option in LimitOptions.table {
      var limits = LimitOptions()
      #expect(option.apply(&limits, CommandArgument(Self.values[option.name] ?? "")))
      #expect(limits != LimitOptions())
      texts[option.name] = limits.text
    }
    #expect(
      texts == [
        "--max-bytes": ["max-bytes=10240"], "--max-pixels": ["max-pixels=5"],
        "--max-memory": ["max-memory=1048576"], "--timeout": [],
      ])
  }

  @Test func `limits are passed to the decoder`() {
    var limits = LimitOptions()
    (limits.pixelCount, limits.memory) = (2, 3)
    #expect(limits.decodeLimits.maximumPixelCounts[.jpeg] == 2)
    #expect(limits.decodeLimits.maximumPixelCounts[.png] == 2)
    #expect(limits.decodeLimits.maximumDecodeMemory == 3)
  }
}
