import Testing

@testable import LqipPages
@testable import LqipSystem

@Suite struct PageEditsTests {
  /// The insertions by the marks that stand for them in the pages of these tests.
  private static let insertions: [Character: String] = [
    "§": #" width="640" height="480" data-lqip-auto="size" style="--lqip:#47d37520""#,
    "†": #" width="640" height="480" data-lqip-auto="width height" style="--lqip:#47d37520""#,
    "°": #" width="640" height="480" data-lqip-auto="size only""#,
    "•": #" width="640" height="480" data-lqip-auto="size""#,
    "‡": #" style="--lqip:#47d37520""#,
    "¤": "--lqip:#47d37520;",
    "¶": #"<link rel="stylesheet" href="lqip-html.css"/>"#,
  ]

  private func scan(_ page: [UInt8]) throws -> PageScan {
    try #require(unsafe page.withUnsafeBytes { unsafe PageScan(parsing: $0) })
  }

  private func edits(
    _ page: [UInt8], _ placement: ImagePlacement = placement()
  ) throws -> [PageEdit] {
    let scan = try scan(page)
    return scan.edits(scan.images.map { _ in placement }, link: Self.insertions["¶"] ?? "")
  }

  private static func placement(_ declaration: String? = "--lqip:#47d37520") -> ImagePlacement {
    ImagePlacement(width: 640, height: 480, declaration: declaration)
  }

  /// Expects the insertions at the marks and nowhere else, and none in the page that results.
  private func expect(_ marked: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let page = Array(marked.filter { Self.insertions[$0] == nil }.utf8)
    let expected = marked.map { Self.insertions[$0] ?? String($0) }.joined()
    let result = PageEdit.apply(try edits(page), to: page)
    #expect(String(decoding: result, as: UTF8.self) == expected, sourceLocation: sourceLocation)
    #expect(try edits(result) == [], sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    "¶<img§ src=a.png>", "¶<IMG§\nSRC = 'a.png'>", "¶<img§/src=a.png/>", "¶<image§ src=a.png>",
    "¶Text<p>a<b>b<p><img§ src=a.png><table><img§ src=b.png><tr><td><img§ src=c.png></table>",
    "¶<svg><img§ src=a.png></svg>", "¶<svg><foreignObject><img§ src=a.png></foreignObject></svg>",
    "¶<video><img§ src=a.png></video>", "\u{FEFF}¶<img§ src=a.png>",
    "¶<img§ src=a.png>\0<img§ src=b>",
    "¶<picture><source type=image/webp srcset=b><img§ src=a></picture>",
  ])
  func `an image gets its size and placeholder behind the name of its tag`(page: String) throws {
    try expect(page)
  }

  @Test(arguments: [
    "<!-- <img src=a> -->", "<script>'<img src=a>'</script>", "<style><img src=a></style>",
    "<textarea><img src=a></textarea>", "<title><img src=a></title>", "<xmp><img src=a></xmp>",
    "<noscript><img src=a></noscript>", "<body><noscript><img src=a></noscript>",
    "<template><img src=a></template>",
    "<svg><image href=a /></svg>", "<svg><![CDATA[<img src=a>]]></svg>", "<img src=a", "<img>",
    "<img src=>", "<img alt='<img src=a>'>", "<plaintext><img src=a>", "< img src=a>",
    "</img src=a>",
    "<table></noscript></p></form></table> <!--</style></p><img src=a>",
    "<iframe><img src=a></iframe>", "<select><img src=a></select>", "<imgx src=a>", "",
  ])
  func `what is not an image stays as it is`(page: String) throws { try expect(page) }

  @Test(arguments: [
    "¶<img‡ src=a width=1 height=1>", "¶<img‡ src=a width=50%>", "¶<img‡ src=a height=auto>",
    "<img src=a width=1 height=1 data-lqip='#47d37520'>",
    "<img src=a height=0 width=2 data-tiny=x>",
    "<img src=a width=1 height=1 style='background:url(data:x)'>", "¶<img° src=a data-preview=x>",
    "¶<img° src=a style=--lqip:#00000000>", "¶<img° src=a style>", "¶<img• src=a style='¤'>",
    "¶<img° src=a style=>", "¶<img° src=a style= >", "<img style= src=a>", "¶<img° style src = a>",
    "¶<img• src=a style=\"¤color:red\">", "¶<img• src=a style='¤x'>", "¶<img• src=a STYLE = ¤x>",
    "¶<img• src=a style=\"¤font:'&quot;'\">", "¶<img• src=a style='¤x' style=y>",
  ])
  func `attributes of the page keep their values`(page: String) throws { try expect(page) }

  @Test func `a missing length is in proportion to the other`() throws {
    for (tag, text) in [
      ("<img src=a width=320>", #" height="240" data-lqip-auto="height only""#),
      ("<img src=a height=' 100px'>", #" width="133" data-lqip-auto="width only""#),
      ("<img src=a width=1>", #" height="1" data-lqip-auto="height only""#),
    ] {
      let edits = try edits(Array(tag.utf8), Self.placement(nil))
      #expect(edits.map(\.text) == [Self.insertions["¶"], text])
    }
  }

  @Test(arguments: [
    "¶<img† src=a srcset='a 400w, b 800w' sizes=100vw>", "¶<img§ src=a srcset='a 1x, b 2x'>",
    "¶<picture><source media=print srcset=b><img† src=a></picture>",
    "¶<picture><source srcset='b 9w'><p><img§ src=a></picture>",
  ])
  func `the width of a responsive image only reserves space`(page: String) throws {
    try expect(page)
  }

  @Test(arguments: [
    "<!doctype html>\n<html>\n<head>\n<title>x</title>\n¶</head>\n<body>\n<img§ src=a>",
    "<title>x</title>¶\n<p><img§ src=a>", "<head>¶<p><img§ src=a>", "<html>\n¶<body><img§ src=a>",
    "<meta charset=utf-8>¶<link rel=stylesheet href=a.css><link rel='Alternate stylesheet'><img§ src=a>",
    "<link rel=icon>¶<style>a</style><img§ src=a>", "<!-- x -->¶<div><img§ src=a></div>",
    "<style>a</style><meta charset=utf-8>¶<img§ src=a>",
    "<link rel=stylesheet href=/x/lqip-html.css><img§ src=a>",
    "<title>x</title>¶<noscript><img src=a></NoScript><p><img§ src=a>",
    "<head><noscript><style>a</style></noscript>¶<p><img§ src=a>",
  ])
  func `the link precedes the stylesheets of the page and follows its encoding`(page: String) throws
  {
    try expect(page)
  }

  @Test func `spaces in a declaration become comments in an unquoted attribute`() throws {
    let edits = try edits(
      Array("<img src=a width=1 height=1 style=x>".utf8),
      Self.placement("background:url(d) 0 0/9px"))
    #expect(edits.map(\.text).last == "background:url(d)/**/0/**/0/9px;")
  }

  @Test func `bytes that are not UTF-8 stay as they are`() throws {
    let page =
      Array("<p>".utf8) + [0xE4, 0x00, 0xFF] + Array("<img src=a alt=".utf8) + [0xE4, 0x3E]
    let result = PageEdit.apply(try edits(page), to: page)
    var expected = Array((Self.insertions["¶"] ?? "").utf8)
    expected += page[..<10]
    expected += (Self.insertions["§"] ?? "").utf8
    expected += page[10...]
    #expect(result == expected)
  }

  @Test(arguments: [
    #" alt="" style="--lqip:#47d37520" src=a> one; two"#,
    #" style="background:url(data:\#u{FF}) 0 0/100% 100%" src=a>"#,
    #" src=a style="background:url(data:\#u{FF}) 0 0/100% 100%;color:red">"#,
    #" src=a style='--lqip:#47d37520' alt="; --lqip:#47d37520">;"#,
    " style=--lqip:#47d37520 alt=Cat src=a?v=1;2 class=x>",
    #" src=a style="--lqip:#47d37520 color:red;margin:0">"#,
    #" src=a style="--lqip:#47d37520 !important;margin:0">"#,
    #" src=a style="background:url(data:image/gif;base64,R0lG) no-repeat,url(b) 0 0/100% 100%">"#,
  ])
  func `only a placeholder as an earlier run wrote it is replaced`(rest: String) throws {
    // A page in Latin-1.
    let bytes = rest.unicodeScalars.map { UInt8($0.value) }
    let page = Array(#"<img width="1" height="2" data-lqip-auto="size""#.utf8) + bytes
    let expected = Array("<img\(Self.insertions["°"] ?? "")".utf8) + bytes
    #expect(PageEdit.apply(try laterEdits(page), to: page) == expected)
  }

  @Test(arguments: [
    #"data-preview="/big/a.jpg""#, #"data-blurhash="L""#, #"style="--lqip:#00000000""#,
    #"style="--lqip:#00000000;color:red""#, #"style="--lqip-css:5;margin:0""#,
    #"style="background:url(data:image/gif;base64,R0lG) 0 0/100% 100%""#,
  ])
  func `a placeholder of the page stays in later runs`(attribute: String) throws {
    let page = Array("<img \(attribute) src=a>".utf8)
    let edited = PageEdit.apply(try edits(page), to: page)
    #expect(String(decoding: edited, as: UTF8.self).contains("<img\(Self.insertions["°"] ?? "") "))
    #expect(try laterEdits(edited) == [])
  }

  @Test(arguments: [
    #"<img width="300" data-lqip-auto="size" src=a style='--lqip:#47d37520;color:red'>"#,
    #"<img height="300" data-lqip-auto="size only" src=a style='--lqip:#47d37520;color:red'>"#,
    #"<img width="30%" height="40%" data-lqip-auto="mine" src=a data-tiny=x>"#,
    #"<img class=x width="640" data-lqip-auto="size" src=a data-tiny=x>"#,
  ])
  func `a tag that was edited after an earlier run is left alone`(page: String) throws {
    #expect(try laterEdits(Array(page.utf8)) == [])
  }

  /// Returns the edits of a run with another placeholder, without the link.
  private func laterEdits(_ page: [UInt8]) throws -> [PageEdit] {
    var scan = try scan(page)
    scan.findAddedText(in: page)
    let placements = scan.images.map { _ in Self.placement("--lqip:#00000000") }
    return scan.edits(placements, link: "")
      .filter { !$0.text.isEmpty || $0.replacedCount > 0 }
  }

  @Test func `pages that are deeper than the stack of a thread are parsed`() throws {
    let page = String(repeating: "<div>", count: 5000) + "<img src=a>"
    #expect(try scan(Array(page.utf8)).images.count == 1)
  }

  @Test func `pages without an image need no parser`() {
    #expect(PageScan.mayFindImages(in: Array("<p><IMage>".utf8)))
    #expect(!PageScan.mayFindImages(in: Array("<p><i>m</i><!im".utf8)))
    #expect(!PageScan.mayFindImages(in: Array("<i".utf8)))
  }

  @Test func `a reply is parsed as it was sent, in parts`() throws {
    let page = Array(
      ("<base href=x>" + String(repeating: "<img src=abcdefgh style=x>", count: 900)).utf8)
    let scan = try scan(page)
    var images: [PageScan.Image] = []
    while true {
      let bytes = PageReply(scan, after: images.count).bytes
      #expect(bytes.count <= WorkerSettings.replyLimit)
      let last = images.last?.position ?? 0
      let reply = try PageReply(parsing: bytes, of: page, after: last)
      #expect(reply.bytes == bytes)
      images += reply.scan.images
      if reply.isLast { break }
    }
    #expect(images == scan.images)
  }

  @Test func `a reply that points outside the tags of images is rejected`() throws {
    let page = Array("<p><img src=a><img src=b>".utf8)
    let good = try scan(page)
    for change: (inout PageScan) -> Void in [
      { $0.images[0].position = 3 }, { $0.images[0].position = 25 },
      { $0.images[1].position = 4000 },
      { $0.images.swapAt(0, 1) }, { $0.images[1] = $0.images[0] }, { $0.linkPosition = 26 },
      { $0.images[1].style = .init(position: 3, isQuoted: true) },
      { $0.images[1].style = .init(position: 26, isQuoted: true) },
    ] {
      var scan = good
      change(&scan)
      #expect(throws: MalformedMessage.self) {
        try PageReply(parsing: PageReply(scan, after: 0).bytes, of: page, after: 0)
      }
    }
    let bytes = PageReply(good, after: 0).bytes
    for count in bytes.indices {
      let reply = try? PageReply(parsing: Array(bytes[..<count]), of: page, after: 0)
      #expect(reply?.scan.images.count ?? 0 < 2)
    }
  }
}
