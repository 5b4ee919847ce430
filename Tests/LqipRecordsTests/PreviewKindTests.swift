import Testing

@testable import LqipRecords

@Suite struct PreviewKindTests {
  @Test(arguments: [
    ("LEHV6nWB2yk8pyo0adR*.7kCMdnj", PreviewKind.blurHash), ("#ccd94c11", .lqip),
    ("EfghDwQI9wiIh4hwj3CI+AiIgIAI94cP", .thumbHash), ("192900", .css), ("-109085", .css),
    ("wdQjMglyx8HIoB7tXQ8VOHOqFcJT1eis", .tiny),
  ])
  func `the kind of a valid placeholder is detected`(text: String, kind: PreviewKind) {
    #expect(PreviewKind(of: text) == kind)
  }

  @Test(arguments: [
    ("LEHV6nWB2yk8pyo0adR*.7kCMd", PreviewKind.blurHash), ("#ccd9", .lqip), ("#", .lqip),
    ("EfghDwQI9w/Ih4hwj3CI+", .thumbHash), ("524288", .css), ("99999999999", .css),
  ])
  func `the kind of a malformed placeholder is detected`(text: String, kind: PreviewKind) {
    #expect(PreviewKind(of: text) == kind)
  }

  @Test(arguments: [
    "", "bad", "12.5", "47d37520", "47375201", "EfghDwQI9wiIh4hwj3CI", "data:image/png;base64,A/A=",
    "é", "two words",
  ])
  func `an unrecognized or ambiguous placeholder has no kind`(text: String) {
    #expect(PreviewKind(of: text) == nil)
  }
}
