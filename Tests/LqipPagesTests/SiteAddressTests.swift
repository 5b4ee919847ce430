import Testing

import LqipPages
import LqipSystem

@Suite struct SiteAddressTests {
  private func file(
    _ address: String, on page: String = "a/b/index.html", base: String? = nil, prefix: String = "/"
  ) throws -> String? {
    let site = try #require(SiteAddress(prefix))
    let base = base.map { Array($0.utf8) }
    return site.file(Array(address.utf8), on: FilePath(page), base: base).map { "\($0)" }
  }

  @Test(
    arguments: [
      ("x.png", "a/b/x.png"), ("./x.png", "a/b/x.png"), ("../x.png", "a/x.png"),
      ("/x.png", "x.png"),
      ("../../../../x.png", "x.png"), ("c//d/./e/../x.png", "a/b/c/d/x.png"), ("\\x.png", "x.png"),
      ("x.png?v=1#f", "a/b/x.png"), (" x.p\nng\t", "a/b/x.png"), ("b%20%C3%A4.png", "a/b/b ä.png"),
      ("%2E%2e/x.png", "a/x.png"), ("x%zz.png", "a/b/x%zz.png"),
      ("x.3f9c1e.png", "a/b/x.3f9c1e.png"),
      ("x:y.png/../z.png", nil), ("./x:y.png", "a/b/x:y.png"), ("ä b.png", "a/b/ä b.png"),
      ("", nil), ("?x", nil), ("/", nil), ("x/", nil), ("..", nil), ("a%2Fb", nil), ("a%00b", nil),
      ("https://example.org/x.png", nil), ("//example.org/x.png", nil),
      ("data:image/png;base64,x", nil),
      ("\u{FFFD}.png", nil), ("x\u{1}.png", "a/b/x?.png"),
    ] as [(String, String?)])
  func `an address refers to the file that a browser would load`(address: String, path: String?)
    throws
  {
    #expect(try file(address) == path)
  }

  @Test func `a base moves relative addresses`() throws {
    #expect(try file("x.png", base: "/c/") == "c/x.png")
    #expect(try file("x.png", base: "../c/page") == "a/c/x.png")
    #expect(try file("/x.png", base: "../c/") == "x.png")
    #expect(try file("x.png", base: "https://cdn.example/") == nil)
    #expect(try file("/x.png", base: "https://cdn.example/") == nil)
    #expect(try file("x.png", base: "") == "a/b/x.png")
  }

  @Test func `a prefix is the address of the root`() throws {
    for prefix in ["/blog/", "https://Example.org/blog/"] {
      #expect(try file("x.png", prefix: prefix) == "a/b/x.png")
      #expect(try file("/blog/x.png", prefix: prefix) == "x.png")
      #expect(try file("/x.png", prefix: prefix) == nil)
      #expect(try file("../../../x.png", prefix: prefix) == nil)
    }
    let site = "https://example.org/blog/"
    #expect(try file("http://EXAMPLE.org/blog/x.png", prefix: site) == "x.png")
    #expect(try file("//example.org/blog/x.png", prefix: site) == "x.png")
    #expect(try file("//example.com/blog/x.png", prefix: site) == nil)
    #expect(try file("/blog/x.png", base: "https://example.org/y/", prefix: site) == "x.png")
  }

  @Test func `percent signs in the names of directories are not escapes`() throws {
    #expect(try file("x.png", on: "100%25/p.html") == "100%25/x.png")
  }

  @Test(arguments: ["", "blog/", "/blog", "/a b/", "/a?b/", "ftp://x/", "/\"/", "https:/x/"])
  func `other prefixes are rejected`(prefix: String) { #expect(SiteAddress(prefix) == nil) }
}
