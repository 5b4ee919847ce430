import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@Suite struct HTMLCommandTests {
  private let directory = TemporaryDirectory()
  private let size = #" width="560" height="520" data-lqip-auto="size""#

  /// Creates a site with one page per name, and the image `a.jpg`.
  init() throws {
    try directory.write("site/a.jpg", Fixtures.bytes("jpeg-half-scale-560x520.jpg"))
  }

  private func write(_ name: String, _ page: String) throws {
    try directory.write("site/\(name)", Array(page.utf8))
  }

  private func run(_ options: String...) throws -> Program {
    try Program(["html", directory.file("site")] + options)
  }

  private func record(_ kind: String) throws -> String {
    let run = try Program("encode", "--text", kind, directory.file("site/a.jpg"))
    return try #require(run.lines.first)
  }

  @Test func `pages get sizes, placeholders and a link, and a second run changes nothing`() throws {
    let head = "<!doctype html>\r\n<title>x</title>"
    try write("index.html", "\(head)<p><img src=a.jpg alt=''>\n<img alt=\"\" src='/a.jpg?v=2'>")
    try write("b/c/p.HTM", "\(head)<p><img src=../../a.jpg width=56>")
    try write("plain.html", "<p>None")
    let first = try run()
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors == "lqip: 3 pages, 2 changed, 0 failed; images: 3 placed\n")
    let style = " style=\"--lqip:\(try record("lqip"))\""
    let link = #"<link rel="stylesheet" href="lqip-html.css"/>"#
    #expect(
      try directory.text(of: "site/index.html")
        == "\(head)\(link)<p><img\(size)\(style) src=a.jpg alt=''>\n<img\(size)\(style) alt=\"\" src='/a.jpg?v=2'>"
    )
    #expect(
      try directory.text(of: "site/b/c/p.HTM")
        == "\(head)\(link.replacing("lqip-html", with: "../../lqip-html"))"
        + "<p><img height=\"52\" data-lqip-auto=\"height\"\(style) src=../../a.jpg width=56>")
    let sheet = try directory.text(of: "site/lqip-html.css")
    #expect(sheet.hasSuffix(String(decoding: try Program("css").output, as: UTF8.self)))
    #expect(try directory.names == ["site", "site.lqip.ndjson"])

    try directory.setModified("site/index.html", 1_000_000)
    let second = try run()
    #expect(second.status == 0)
    #expect(second.errors == "lqip: 3 pages, 0 changed, 0 failed; images: 3 complete\n")
    let attributes = try FileManager.default.attributesOfItem(
      atPath: directory.file("site/index.html"))
    #expect((attributes[.modificationDate] as? Date)?.timeIntervalSince1970 == 1_000_000)
  }

  @Test func `a check names the page and the line of what is missing, and writes nothing`() throws {
    try write("index.html", "<p>\n<img src=a.jpg>\n\n<img src=a.jpg width=1 height=1>")
    let page = directory.file("site/index.html")
    let check = try run("--check")
    #expect(check.status == 1)
    #expect(
      check.errors == """
        lqip: \(page):2: a.jpg: no size and no placeholder
        lqip: \(page):4: a.jpg: no placeholder
        lqip: 1 page, 0 changed, 0 failed; images: 2 incomplete

        """)
    #expect(try directory.names == ["site"])
    #expect(try directory.text(of: "site/index.html").hasPrefix("<p>\n<img src=a.jpg>"))
    #expect(try run("-q").status == 0)
    let finished = try run("--check", "-q")
    #expect(finished.status == 0 && finished.errors.isEmpty)
    try write("new.html", "<img src=a.jpg>")
    #expect(
      try run("--check", "-q").errors.contains("new.html:1: a.jpg: no size and no placeholder"))
  }

  @Test func `images without a placeholder are named or counted`() throws {
    try directory.write("site/broken.png", Fixtures.bytes("broken/png-cut-in-header.png"))
    try directory.write("site/logo.png", Fixtures.bytes("png-rgba-8-bit.png"))
    try write("x.svg", "<svg/>")
    let page =
      "<img src=gone.png>\n<img src=broken.png><img src=x.svg><img src=//x.org/a.jpg>\n<img src=.>"
    try write("index.html", page)
    try write("logo.html", "<img src=logo.png>")
    let run = try run()
    #expect(run.status == 1)
    let name = directory.file("site/index.html")
    #expect(
      run.errors == """
        lqip: \(name):1: gone.png: no such file
        lqip: \(name):2: broken.png: truncated PNG image: unexpected end of file
        lqip: 2 pages, 1 changed, 0 failed; images: 1 placed, 2 failed, 1 in other formats, 2 outside the site

        """)
    #expect(try directory.text(of: "site/index.html") == page)
    // The placeholder would stay visible behind a transparent image.
    let logo = try directory.text(of: "site/logo.html")
    let size = #"width="45" height="33" data-lqip-auto="size only""#
    #expect(logo.hasSuffix("<img \(size) src=logo.png>"))
    try write("logo.html", "<img src=logo.png>")
    #expect(try self.run("--strict").status == 1)
    #expect(try directory.text(of: "site/logo.html").contains(##"size" data-lqip="#"##))
  }

  @Test(arguments: [
    (["--kind", "css"], "css", #"style="--lqip-css:VALUE""#),
    (["--kind", "css", "--strict"], "css", #"data-lqip-css="VALUE""#),
    (["--strict"], "lqip", #"data-lqip="VALUE""#),
    (["--kind", "preview"], "preview", #"style="background:url(VALUE) 0 0/100% 100%""#),
    (["--kind", "preview", "--strict"], "preview", #"data-preview="VALUE""#),
    (["--kind", "tiny"], "tiny", #"data-tiny="VALUE""#),
    (["--kind", "thumbhash"], "thumbhash", #"data-thumbhash="VALUE""#),
    (["--kind", "blurhash"], "blurhash", #"data-blurhash="VALUE""#),
  ])
  func `every kind has an attribute`(options: [String], kind: String, attribute: String) throws {
    try write("index.html", "<img src=a.jpg>")
    let run = try Program(["html", directory.file("site")] + options)
    #expect(run.status == 0, "\(run.errors)")
    let text = attribute.replacing("VALUE", with: try record(kind))
    #expect(try directory.text(of: "site/index.html").hasSuffix("<img\(size) \(text) src=a.jpg>"))
  }

  @Test func `a prefix or a base makes the link absolute`() throws {
    try write("d/index.html", "<img src=/blog/a.jpg><img src=/a.jpg>")
    let run = try run("--url-prefix", "https://example.org/blog/")
    #expect(run.errors.hasSuffix("images: 1 placed, 1 outside the site\n"))
    #expect(try directory.text(of: "site/d/index.html").contains(#"href="/blog/lqip-html.css""#))
    try write("d/index.html", "<base href=..><img src=a.jpg>")
    #expect(try self.run().status == 0)
    #expect(try directory.text(of: "site/d/index.html").contains(#"href="/lqip-html.css""#))
  }

  @Test func `a copy has all files of the site, which stays as it is`() throws {
    try write("d/index.html", "<img src=../a.jpg>")
    try write("plain.html", "<p>None")
    try write(".well-known/x", "y")
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("site/l.jpg"), withDestinationPath: "a.jpg")
    let output = directory.file("out")
    #expect(try run("--check").errors.hasSuffix("; symbolic links skipped: 1\n"))
    for _ in 0..<2 {
      let run = try run("-o", output)
      #expect(run.errors == "lqip: 2 pages, 1 changed, 0 failed; images: 1 placed\n")
      #expect(run.status == 0)
      #expect(try directory.text(of: "site/d/index.html") == "<img src=../a.jpg>")
      #expect(try directory.text(of: "out/d/index.html").contains("--lqip:#"))
    }
    let difference = try Program(["-r", directory.file("site"), output], of: "diff")
    let lines = difference.lines.filter { $0.hasPrefix("Only") || $0.hasPrefix("diff") }
    #expect(lines.count == 2)
    #expect(lines.last == "Only in \(output): lqip-html.css")
    let link = try FileManager.default.destinationOfSymbolicLink(
      atPath: directory.file("out/l.jpg"))
    #expect(link == "a.jpg")

    try directory.write("other/x", [])
    let refused = try run("-o", directory.file("other"))
    #expect(refused.status == 3)
    #expect(refused.errors.contains("not empty, and not written by 'lqip html'"))
    #expect(try run("-o", directory.file("site/out")).status == 2)
    #expect(try run("-o", output, "--check").status == 2)
  }

  @Test func `records are reused until an image changes`() throws {
    try write("index.html", "<img src=a.jpg>")
    let cache = directory.file("cache.ndjson")
    try directory.settle()
    #expect(try run("--cache", cache).status == 0)
    // A record that only this file can contain.
    let records = try directory.text(of: "cache.ndjson")
    let lqip = try record("lqip")
    try directory.write(
      "cache.ndjson", Array(records.replacing(lqip, with: "#01234567").utf8))
    try write("index.html", "<img src=a.jpg>")
    #expect(try run("--cache", cache).status == 0)
    #expect(try directory.text(of: "site/index.html").contains("--lqip:#01234567"))
    try directory.write("site/a.jpg", Fixtures.bytes("jpeg-half-scale-560x520.jpg"))
    try write("index.html", "<img src=a.jpg>")
    #expect(try run("--cache", cache).status == 0)
    #expect(try directory.text(of: "site/index.html").contains("--lqip:\(lqip)"))
  }

  @Test(arguments: ["<img src=a.jpg>", "<img style='color:red' src=a.jpg>"])
  func `what an earlier run added is replaced if the image or the kind changes`(
    page: String
  ) throws {
    try write("index.html", page)
    #expect(try run("--kind", "preview").status == 0)
    try directory.write("site/a.jpg", Fixtures.bytes("jpeg-eighth-scale-2100x2060.jpg"))
    let check = try run("--check", "--kind", "preview")
    #expect(check.errors.contains("index.html:1: a.jpg: outdated\n"))
    #expect(try run("--kind", "css").errors.hasSuffix("1 changed, 0 failed; images: 1 placed\n"))
    let edited = try directory.text(of: "site/index.html")
    try write("index.html", page)
    #expect(try run("--kind", "css").status == 0)
    #expect(try directory.text(of: "site/index.html") == edited)
    #expect(edited.contains(##" width="2100" height="2060" data-lqip-auto="size""##))
    #expect(try run("--check", "--kind", "css").status == 0)
    // An earlier value without a size may be that of a template.
    let own = "<img width=9 height=9 style=\"--lqip:#01234567\" src=a.jpg>"
    try write("index.html", own)
    #expect(try run().status == 0)
    #expect(try directory.text(of: "site/index.html") == own)
  }

  @Test(arguments: [
    ("<div>", 100_000, "decoding took too long"), ("", 0, "decoding took too long"),
    ("\u{1B}$B", 1, "ISO-2022-JP is not supported"),
    (" ", 17 << 20, "17 MiB, above the limit of 16 MiB"),
  ])
  func `a page that cannot be parsed is named and left as it is`(
    text: String, count: Int, reason: String
  ) throws {
    let attributes = (0..<60_000).map { "a\($0) " }.joined()
    let start = count == 0 ? "<p \(attributes)>" : String(repeating: text, count: count)
    try write("hostile.html", start + "<img src=a.jpg>")
    try write("index.html", "<img src=a.jpg>")
    let run = try run()
    #expect(run.status == 1)
    #expect(run.errors.contains("hostile.html: left unchanged: \(reason)"))
    #expect(run.errors.hasSuffix("2 pages, 1 changed, 1 failed; images: 1 placed\n"))
    let isUnchanged = try directory.text(of: "site/hostile.html") == start + "<img src=a.jpg>"
    #expect(isUnchanged)
  }

  @Test(arguments: ["a{", "i,img{max-height:1px}", "<style>", "a{height:1px}"])
  func `of stylesheets of any size and depth, the beginning is read`(text: String) throws {
    let style = String(repeating: text, count: 80_000) + String(repeating: "}", count: 80_000)
    try write("index.html", "<style>\(style)</style><img src=a.jpg>")
    let run = try run()
    #expect(run.status == 0)
    #expect(run.errors.hasSuffix("1 page, 1 changed, 0 failed; images: 1 placed\n"))
  }

  @Test func `a copy never reaches into the site, however its path is written`() throws {
    try write("index.html", "<img src=a.jpg>")
    let site = directory.file("site")
    try directory.link("link", to: "site")
    for output in ["site/../site", "link", "site/out", "link/out", "site/a/../b/c/", ""] {
      let run = try run("-o", directory.file(output))
      #expect(run.status == 2 && run.errors.contains("is inside "), "\(output): \(run.errors)")
    }
    let inside = try Program(["html", ".", "-o", "../site/out"], directory: site)
    #expect(inside.status == 2, "\(inside.errors)")
    #expect(try directory.names == ["link", "site"])
    #expect(try run("-o", directory.file("copy/")).status == 0)
    try write("b/c.txt", "new")
    try directory.write("other/c.txt", Array("old".utf8))
    try directory.link("copy/b", to: "../other")
    let linked = try run("-o", directory.file("copy"))
    #expect(linked.status == 3)
    #expect(linked.errors.contains("copy/b: a symbolic link, but a directory"))
    #expect(try directory.text(of: "other/c.txt") == "old")
  }

  @Test func `a copy has every page, and continues where one failed`() throws {
    try write("index.html", "<img src=a.jpg>")
    try write("large.html", String(repeating: " ", count: 17 << 20))
    try write("z.txt", "x")
    let copy = directory.file("copy")
    // A directory in the place of a file.
    try directory.write("copy/z.txt/x", [])
    try directory.write("copy/lqip-html.css", Array("@layer lqip {".utf8))
    #expect(try run("-o", copy).status == 3)
    try FileManager.default.removeItem(atPath: directory.file("copy/z.txt"))
    #expect(try run("-o", copy).status == 1)
    #expect(try directory.text(of: "copy/large.html").utf8.count == 17 << 20)
    #expect(try directory.text(of: "copy/index.html").contains("--lqip:"))
  }

  @Test func `a stylesheet of another program is kept`() throws {
    try write("lqip-html.css", "body{}")
    try write("index.html", "<p>")
    #expect(try run().status == 0)
    try write("index.html", "<img src=a.jpg>")
    let run = try run()
    #expect(run.status == 3)
    #expect(run.errors.contains("lqip-html.css: not written by 'lqip html'"))
    #expect(try directory.text(of: "site/lqip-html.css") == "body{}")
    #expect(try directory.text(of: "site/index.html") == "<img src=a.jpg>")
  }

  @Test func `conditions with strings or open parentheses are not copied`() throws {
    try write(
      "a.css",
      """
      @supports (font-variation-settings: "wght" 400) { .a { height: 2em } }
      @media (width<600px) { .b { height: 2em } }
      img:is( { height: 2em }
      """)
    try write("index.html", "<img src=a.jpg>")
    #expect(try run().status == 0)
    let sheet = try directory.text(of: "site/lqip-html.css")
    #expect(sheet.contains("@media (width<600px) {") && !sheet.contains("@supports (font"))
    #expect(!sheet.contains("img:is("))
    #expect(sheet.count { $0 == "{" } == sheet.count { $0 == "}" })
  }

  @Test func `a shared file keeps the records of other images`() throws {
    try directory.write("more/b.png", Fixtures.bytes("size-5x3.png"))
    let cache = directory.file("cache.ndjson")
    #expect(try Program("encode", directory.file("more"), "-o", cache).status == 0)
    try write("index.html", "<img src=a.jpg>")
    #expect(try run("--cache", cache).status == 0)
    #expect(try directory.text(of: "cache.ndjson").contains("b.png"))
  }

  @Test(arguments: [
    (#""width":560"#, #""width":0"#), (#""height":520"#, #""height":-5"#),
    (##""lqip":"#"##, ##""lqip":"\"><script>#"##),
  ])
  func `invalid values in the file of records reach no page`(old: String, new: String) throws {
    let page = "<img width=50 src=a.jpg>"
    try write("index.html", page)
    try directory.settle()
    #expect(try run().status == 0)
    let records = try directory.text(of: "site.lqip.ndjson")
    try directory.write("site.lqip.ndjson", Array(records.replacing(old, with: new).utf8))
    try write("index.html", page)
    let run = try run()
    #expect(run.status == 1 && run.errors.contains("index.html:1: a.jpg: "))
    #expect(try directory.text(of: "site/index.html") == page)
  }

  @Test func `UTF-16 is not taken for tags`() throws {
    let page = [0xFF, 0xFE] + Array("<img src=a.jpg>".utf8)
    try directory.write("site/index.html", page)
    let run = try run()
    #expect(run.status == 1 && run.errors.contains("UTF-16 is not supported"))
    #expect(FileManager.default.contents(atPath: directory.file("site/index.html")) == Data(page))
  }

  @Test func `mistakes are answered`() throws {
    #expect(try Program("html").status == 2)
    #expect(try Program("html", "a", "b").status == 2)
    #expect(try Program("html", "a", "--url-prefix", "/blog").errors.contains("ends with '/'"))
    let empty = try run("--check")
    #expect(empty.status == 4 && empty.errors.contains("site: no pages (.html or .htm) found"))
    try write("index.html", "<img src=/blog/a.jpg>")
    #expect(try run().errors.contains("published under /blog/, use: --url-prefix /blog/"))
    try write("index.html", "<img src=a.jpg>")
    #expect(try run("--strict").errors.contains("the pages need placeholders.js"))
    let missing = try Program("html", directory.file("none"))
    #expect(missing.status == 4)
    #expect(missing.errors.contains("none: cannot list: "))
  }
}
