import PlaceholderEncoding
import Testing

@testable import LqipRecords

@Suite struct PlaceholderOptionsTests {
  private static let values = [
    "--components": "9x1", "--blurhash": "fitted", "--lqip": "six", "--tiny-bytes": "18",
    "--preview-format": "jpeg", "--preview-bytes": "300", "--background": "#012",
  ]

  @Test func `every option produces distinct settings text`() {
    var all = PlaceholderOptions()
    var texts: [String] = []
    for option in PlaceholderOptions.table {
      var options = PlaceholderOptions()
      let value = CommandArgument(Self.values[option.name] ?? "")
      #expect(option.apply(&options, value))
      #expect(options.text.count == 1, "\(option.name) changes records, so it needs a text")
      texts += options.text
      #expect(option.apply(&all, value))
    }
    #expect(
      texts == [
        "components=9x1", "blurhash=fitted", "lqip=six", "tiny-bytes=18", "preview-format=jpeg",
        "preview-bytes=300",
        "background=#001122", "exact", "lenient", "verify",
      ])
    #expect(all.text == texts)
  }
}
