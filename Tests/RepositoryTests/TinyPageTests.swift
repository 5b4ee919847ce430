import LqipTestSupport
import PlaceholderEncoding
import PlaceholdersTestSupport
import Testing

/// The constants and the decoders of Documentation/tiny.md.
@Suite struct TinyPageTests {
  private static let page = "Documentation/tiny.md"

  @Test func `tiny.md contains the JPEG header of the library`() throws {
    let lines = try Repository.lines(of: Self.page)
    #expect(lines.contains("    \(TinyJPEG.header)"))
    let sentence = "The header has \(TinyJPEG.headerBytes.count) bytes"
    #expect(lines.joined(separator: " ").contains(sentence))
  }

  @Test func `every decoder in tiny.md joins header, value and end of image`() throws {
    let blocks = try CodeBlock.all(in: Self.page).filter { $0.language != "sh" }
    #expect(blocks.map(\.language) == ["js", "python", "php", "go", "liquid", "swift"])
    for block in blocks {
      #expect(block.text.contains("/9k="), "\(block.language)")
      #expect(block.language == "swift" || block.text.contains("data:image/jpeg;base64,"))
    }
  }

  /// Statements, by language, that fail unless the decoder returns the expected URL.
  private static let checks = [
    "js": """
    const url = tinyURL("VALUE");
    if (url !== "EXPECTED") throw new Error(url);
    """,
    "python": #"assert tiny_url("VALUE") == "EXPECTED""#,
  ]

  @Test(arguments: checks.keys.sorted())
  func `each decoder in tiny.md returns the data URL of the library`(language: String) throws {
    let image = try PlaceholderEncoder { $0.kinds = [.tiny] }.encode(fixture: "size-31x57.png")
    let tiny = try #require(image.tiny)
    let blocks = try CodeBlock.all(in: Self.page)
    let block = try #require(blocks.first { $0.language == language })
    let check = try #require(Self.checks[language])
      .replacing("VALUE", with: tiny.description).replacing("EXPECTED", with: tiny.dataURL)
    let sandbox = try DocumentationSandbox()
    func run(_ language: String, _ name: String, _ text: String) throws {
      try sandbox.run(
        CodeBlock(page: Self.page, line: block.line, language: language, name: name, text: text))
    }
    try run("sh", "", "lqip tiny-header > tiny-header.txt")
    try run(language, block.name, block.text + check)
  }
}
