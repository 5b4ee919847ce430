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
}
