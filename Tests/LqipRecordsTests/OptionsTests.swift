import LqipSystem
import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import PlaceholderEncoding

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

@Suite struct OutputOptionsTests {
  private func check(_ name: String?, in extensions: [String] = ["json", "csv"]) throws {
    var output = OutputOptions()
    output.path = name.map { FilePath($0) }
    try output.checkExtension(in: extensions)
  }

  @Test(arguments: ["photo.png", "a.json.gz", "d.json/a.WebP", "p.out"])
  func `an unsupported extension is rejected with a list of supported ones`(name: String) {
    let message = "-o \(name): unsupported extension; use .json or .csv"
    #expect(throws: UsageError.conflict(message)) { try check(name) }
  }

  @Test(arguments: [
    nil, "a.json", "a.JSON", "d.e/a.csv", "-", "a", "a.png/b", ".png", "d/.json", "a.",
    "/dev/stdout", "..",
  ])
  func `a supported extension or none is allowed`(name: String?) {
    #expect(throws: Never.self) { try check(name) }
  }

  @Test func `an output directory for images may have any extension`() throws {
    let directory = TemporaryDirectory()
    let path = directory.file("my.css")
    #expect(throws: UsageError.self) { try check(path, in: []) }
    try FilePath(path).makeDirectory()
    #expect(throws: Never.self) { try check(path, in: []) }
  }
}

@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("--ouptut", "--output"), ("--exakt", "--exact"), ("--verfy", "--verify"),
      ("--out", "--output"), ("--vers", "--version"), ("--OUTPUT", "--output"), ("lqpi", "lqip"),
      ("BlurHash", "blurhash"), ("thumb", "thumbhash"), ("palete", "palette"), ("cs", "css"),
      ("--foo", nil), ("--", nil), ("", nil), ("-o", nil), ("--outputfiles", nil), ("png", nil),
      ("gif", nil),
    ] as [(String, String?)])
  func `only a similar word or an abbreviation gets a suggestion`(word: String, expected: String?) {
    let names = [
      "--output", "--exact", "--verify", "--version", "blurhash", "lqip", "thumbhash", "preview",
      "svg", "css", "palette",
    ]
    let suggestion = UsageError.suggestion(for: word, among: names)
    #expect(suggestion == expected.map { " (did you mean '\($0)'?)" } ?? "")
  }
}

extension PlaceholderOptions {
  /// The settings of an encoder with these options that differ from the defaults.
  fileprivate var text: [String] { words(of: self, LimitOptions()) }
}

extension LimitOptions {
  /// The settings of an encoder with these limits that differ from the defaults.
  fileprivate var text: [String] { words(of: PlaceholderOptions(), self) }
}

private func words(of options: PlaceholderOptions, _ limits: LimitOptions) -> [String] {
  EncoderSettings(options, limits, kinds: []).text.split(separator: " ").map(String.init)
}
