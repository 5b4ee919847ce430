import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import lqip
@testable import LqipOptions
@testable import LqipRecords

@Suite struct GalleryCommandTests {
  private let directory = TemporaryDirectory()

  @Test func `the page shows every image in path order`() throws {
    try directory.write("d/b.png")
    try directory.write("d/a/c.png")
    try directory.write("d/c.jpg", [1, 2, 3])
    _ = try directory.makeDirectory("site")
    let run = try Program("gallery", directory.file("d"), "-o", directory.file("site/page.html"))
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("lqip: 2 encoded, 1 failed (1 unsupported_format) in "))
    let page = try directory.text(of: "site/page.html")
    let links = page.matches(of: /<h[23][^>]*><a href="([^"]*)">/).map { String($0.1) }
    #expect(links == ["../d/a/c.png", "../d/b.png", "../d/c.jpg"])
    #expect(page.contains("<p>Not a JPEG, PNG, WebP, GIF, AVIF or HEIC image.</p>"))
    #expect(!page.contains("unsupported_format"))
    #expect(page.contains("2 encoded, 1 failed"))
    #expect(try directory.names == ["d", "site"])
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.file("site"))
    #expect(names == ["page.html"])
  }

  @Test func `the page shows the placeholder strings of the records`() throws {
    let image = try directory.write("a.png")
    for method in ["fitted", "six"] {
      let record = try #require(try Program("encode", "--lqip", method, image).records.first)
      let page = String(
        decoding: try Program("gallery", "--lqip", method, image).output, as: UTF8.self)
      let strings = page.matches(of: /<code>([^<]*)<\/code>/).map { String($0.1) }
      let values = ["lqip", "lqip2"].compactMap { record[$0] as? String }
      let expected =
        [values.joined(separator: " ")]
        + ["blurhash", "average_color"].compactMap { record[$0] as? String }
      #expect(strings.dropLast() == expected[...])
      #expect(strings.last?.hasPrefix("&lt;img ") == true)
      let properties = zip(["--lqip", "--lqip2"], values).map { "\($0):\($1)" }
      #expect(page.contains("style=\"\(properties.joined(separator: ";"))\""))
    }
  }

  @Test func `--kinds preview,svg shows the previews of the records`() throws {
    let image = try directory.write("a.png", try Fixtures.bytes("size-300x200.png"))
    for kinds in [["svg"], ["preview"], ["preview", "svg"]] {
      let list = kinds.joined(separator: ",")
      let record = try #require(try Program("encode", "--kinds", list, image).records.first)
      let run = try Program("gallery", "--kinds", list, image)
      let page = String(decoding: run.output, as: UTF8.self).replacing("&#39;", with: "'")
      let strings = page.matches(of: /<code>([^<]*)<\/code>/).map { String($0.1) }.dropLast()
      let expected = kinds.compactMap { record[$0] as? String }
      #expect(strings.dropLast() == expected[...])
      let names = page.matches(of: /data-kind="([^"]*)" src="data:/).map { String($0.1) }
      #expect(names == kinds)
      for string in expected { #expect(page.contains("src=\"\(string)\"")) }
    }
  }

  @Test(arguments: [
    ("png-rgba-8-bit.png", "lqip", false), ("png-rgba-8-bit.png", "css", false),
    ("png-rgba-8-bit.png", "blurhash", false), ("size-31x57.png", "lqip", true),
    ("size-31x57.png", "css", true),
  ])
  func `the markup has a placeholder unless it would show through a transparent image`(
    name: String, kind: String, isOpaque: Bool
  ) throws {
    let image = try directory.write("a.png", try Fixtures.bytes(name))
    let run = try Program("gallery", "--kinds", kind, image)
    let page = String(decoding: run.output, as: UTF8.self)
    let markup = try #require(page.firstMatch(of: /<code>(&lt;img [^<]*)<\/code>/)?.1)
    #expect(markup.contains("style=") == isOpaque)
    let size = isOpaque ? (31, 57) : (45, 33)
    #expect(markup.contains("width=&quot;\(size.0)&quot; height=&quot;\(size.1)&quot;"))
    let remark = "HTML without a placeholder, which would show through this transparent image"
    #expect(page.contains(remark) == (!isOpaque && kind != "blurhash"))
  }

  @Test func `gallery accepts the image options of encode`() throws {
    let names = Set(GalleryCommand.options.map(\.name))
    let shared = WalkOptions.table.map(\.name) + EncodingOptions.limitTable.map(\.name)
    #expect(names.isSuperset(of: shared + PlaceholderOptions.table.map(\.name) + ["--quiet"]))
    #expect(Set(EncodeCommand.options.map(\.name)).isSuperset(of: names))
    let image = try directory.write("a.png")
    let run = try Program("gallery", "--max-bytes=10", image)
    #expect(run.status == 1)
    #expect(String(decoding: run.output, as: UTF8.self).contains("<section class=\"failures\""))
  }

  @Test func `a directory without images leaves an existing page unchanged`() throws {
    let empty = try directory.makeDirectory("empty")
    let run = try Program("gallery", empty)
    #expect(run.status == 4)
    #expect(String(decoding: run.output, as: UTF8.self).hasSuffix("</html>\n"))
    let page = directory.file("page.html")
    #expect(try Program("gallery", empty, "-o", page).status == 4)
    #expect(try directory.names == ["empty"])
    #expect(try Program("gallery", try directory.write("a.png"), "-o", page).status == 0)
    let before = try directory.text(of: "page.html")
    #expect(try Program("gallery", empty, "-o", page).status == 4)
    #expect(try directory.text(of: "page.html") == before)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal leaves an existing page unchanged`(signal: Int32) throws {
    let image = try directory.write("a.png")
    let page = directory.file("page.html")
    #expect(try Program("gallery", image, "-o", page).status == 0)
    let before = try directory.text(of: "page.html")
    let program = try RunningProgram(["gallery", "-", "-o", page])
    try program.send([image])
    try RunningProgram.wait { try directory.names.contains(".page.html.part") }
    program.send(signal: signal)
    #expect(try program.status() == 128 + signal)
    #expect(try program.errors == "lqip: interrupted: \(page) is unchanged\n")
    #expect(try directory.text(of: "page.html") == before)
    #expect(try directory.names == ["a.png", "page.html"])
  }

  @Test func `after a signal, the page on standard output ends with the finished images`() throws {
    let written = try directory.write("written", [])
    let output = try #require(FileHandle(forWritingAtPath: written))
    let program = try RunningProgram(["gallery", "-"], output: output)
    try program.send([try directory.write("a.png")])
    try RunningProgram.wait { try directory.text(of: "written").contains("<h2 ") }
    program.send(signal: SIGTERM)
    #expect(try program.status() == 143)
    #expect(try directory.text(of: "written").hasSuffix("</html>\n"))
    #expect(try directory.text(of: "written").contains("1 encoded, partial"))
  }
}
