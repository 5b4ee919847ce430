import PlaceholdersTestSupport
import Testing

@testable import LqipRecords

@Suite struct PlaceholderOptionsTests {
  private static let values = [
    "--components": "9x1", "--blurhash": "fitted", "--lqip": "six", "--tiny-bytes": "18",
    "--preview-format": "jpeg", "--preview-bytes": "300", "--background": "#012",
  ]

  @Test func `default options add nothing to the settings text`() {
    #expect(PlaceholderOptions().text == [])
  }

  @Test func `every option produces distinct settings text`() throws {
    var all = PlaceholderOptions()
    var texts: [String] = []
    for option in PlaceholderOptions.table {
      var options = PlaceholderOptions()
      try option.apply(to: &options, value: Self.values[option.name])
      #expect(options.text.count == 1, "\(option.name) changes records, so it needs a text")
      texts += options.text
      try option.apply(to: &all, value: Self.values[option.name])
    }
    #expect(
      texts == [
        "components=9x1", "blurhash=fitted", "lqip=six", "tiny-bytes=18", "preview-format=jpeg",
        "preview-bytes=300",
        "background=#001122", "exact", "lenient", "verify",
      ])
    #expect(all.text == texts)
  }

  @Test(arguments: [
    ("--components", ["1x1", "1x9", "9x1", "4x3"]), ("--blurhash", ["reference", "fitted"]),
    ("--lqip", ["fitted", "corners", "six"]), ("--preview-bytes", ["300", "400"]),
    ("--tiny-bytes", ["16", "23", "24"]), ("--preview-format", ["webp", "jpeg"]),
    ("--background", ["#000", "#001", "white"]),
  ])
  func `different values of an option produce different settings text`(
    name: String, values: [String]
  ) throws {
    let option = try #require(PlaceholderOptions.table.first { $0.name == name })
    let texts = try values.map { value in
      var options = PlaceholderOptions()
      try option.apply(to: &options, value: value)
      return options.text
    }
    #expect(Set(texts).count == values.count)
  }
}
