import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipService

@Suite struct AbsoluteTargetTests {
  @Test(arguments: [
    ("http://a.example/b?c=http://d", "a.example"), ("HTTP://A.example:8080", "A.example:8080"),
    ("hTTps://[::1]:1/", "[::1]:1"), ("http://a?b", "a"), ("http://a#b", "a"), ("http://", ""),
  ])
  func `the authority ends where the path, the query or a fragment begins`(
    target: String, authority: String
  ) {
    #expect(AbsoluteTarget(target)?.authority == authority)
  }

  @Test(arguments: [
    "/", "*", "", "/http://a", "http:/a", "http:a", "ftp://a/", "https:/", "a:80", "xhttp://a",
    "//a/b", "http\u{301}://a",
  ])
  func `other forms and schemes are not taken apart`(target: String) {
    #expect(AbsoluteTarget(target) == nil)
  }

  @Test(arguments: [
    ("a", true), ("a.example:8080", true), ("a:", true), ("127.0.0.1:1", true), ("[::1]", true),
    ("[::1]:8080", true), ("a_b-c~d", true), ("", false), (":80", false), ("u@a", false),
    ("u:p@a", false), ("a%2Fb", false), ("a:b", false), ("a:80:80", false), ("[::1", false),
    ("[]", false), ("[::1]a", false), ("[::1%25en0]", false), ("a[::1]", false), ("a b", false),
    ("a\\b", false), ("\u{E9}", false), ("a:-1", false),
  ])
  func `a host has no user, no escapes and nothing but a port behind it`(
    authority: String, isPlain: Bool
  ) {
    #expect(AbsoluteTarget("http://\(authority)/x")?.hasPlainHost == isPlain)
  }

  @Test(arguments: [
    ("http://b.example/a%20b", "http://b.example/a b", "/a b"),
    ("http://b.example", "http://b.example", "/"),
    ("https://b.example?c", "https://b.example", "/"),
    ("http://b.example//c", "http://b.example//c", "//c"),
  ])
  func `the path is what follows, and the authority takes the place of Host`(
    target: String, decoded: String, path: String
  ) throws {
    let sent = RequestHead(
      method: "GET", path: decoded, query: [("c", "")],
      fields: [("accept", "*/*"), ("host", "127.0.0.1"), ("origin", "http://x")], id: "test")
    let head = try #require(AbsoluteTarget(target)).originForm(of: sent)
    #expect(head.path == path)
    #expect(head.fields.filter { $0.name == "host" }.map(\.value) == ["b.example"])
    #expect(head[field: "accept"] == "*/*" && head[field: "origin"] == "http://x")
    #expect(head.method == "GET" && head.query.count == 1 && head.id == "test")
  }
}
