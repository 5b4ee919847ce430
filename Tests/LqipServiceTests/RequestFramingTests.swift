import PlaceholdersTestSupport
import Testing

@testable import LqipService

@Suite struct RequestFramingTests {
  private func head(
    _ fields: [(String, String)], _ method: String, _ target: String, _ version: String
  ) -> RequestHead {
    RequestHead(
      method: method, path: target, query: [], fields: fields.map { (name: $0.0, value: $0.1) },
      id: "test", target: target, version: version)
  }

  private func body(
    _ fields: (String, String)..., method: String = "POST", target: String = "/",
    version: String = "HTTP/1.1"
  ) throws(Problem) -> RequestFraming.Body {
    try RequestFraming.body(of: head(fields, method, target, version))
  }

  private func status(
    _ fields: (String, String)..., method: String = "POST", target: String = "/",
    version: String = "HTTP/1.1"
  ) -> Int? {
    do throws(Problem) {
      _ = try RequestFraming.body(of: head(fields, method, target, version))
      return nil
    } catch {
      return error.status
    }
  }

  @Test func `a body is framed by its length or by chunks`() throws {
    #expect(try body(("host", "a"), method: "GET") == .length(0))
    #expect(try body(("host", "a"), ("content-length", "0")) == .length(0))
    #expect(try body(("host", "a"), ("content-length", "0042")) == .length(42))
    #expect(try body(("host", "a"), ("transfer-encoding", "Chunked")) == .chunked)
    #expect(try body(("content-length", "7"), version: "HTTP/1.0") == .length(7))
  }

  @Test func `a Content-Length that overflows is above any limit`() throws {
    let digits = String(repeating: "9", count: 40)
    #expect(try body(("host", "a"), ("content-length", digits)) == .length(.max))
  }

  @Test(arguments: ["", "+5", "-1", "0x10", "5,5", "5, 5", "5 ", " 5", "5.0", "٥", "1e3"])
  func `a length must consist of digits`(length: String) {
    #expect(status(("host", "a"), ("content-length", length)) == 400)
  }

  @Test func `repeated and conflicting lengths are rejected`() {
    let host = ("host", "a")
    let length = ("content-length", "5")
    let chunks = ("transfer-encoding", "chunked")
    #expect(status(host, length, length) == 400)
    #expect(status(host, length, ("content-length", "6")) == 400)
    #expect(status(host, length, chunks) == 400)
    #expect(status(host, chunks, length) == 400)
    #expect(status(host, chunks, chunks) == 400)
  }

  @Test(arguments: [
    "identity", "gzip", "chunked, chunked", "chunked, gzip", "gzip, chunked", "xchunked",
    "chunked;a=b", "chunked ", "\u{B}chunked", "",
  ])
  func `transfer codings other than chunked are rejected`(coding: String) {
    #expect(status(("host", "a"), ("transfer-encoding", coding)) == 400)
  }

  @Test func `transfer codings in HTTP/1.0 are rejected`() {
    #expect(status(("host", "a"), ("transfer-encoding", "chunked"), version: "HTTP/1.0") == 400)
  }

  @Test func `HTTP/1.1 requires exactly one Host, and HTTP/1.0 allows at most one`() {
    #expect(status(method: "GET") == 400)
    #expect(status(method: "GET", version: "HTTP/1.0") == nil)
    #expect(status(("host", "a"), ("host", "a"), method: "GET") == 400)
    #expect(status(("host", "a"), ("host", "b"), method: "GET", version: "HTTP/1.0") == 400)
  }

  @Test func `expectations other than 100-continue are rejected`() {
    let host = ("host", "a")
    #expect(status(host, ("expect", "100-Continue"), method: "GET") == nil)
    #expect(status(host, ("expect", "200-ok"), method: "GET") == 417)
    #expect(status(host, ("expect", ""), method: "GET") == 417)
    #expect(status(host, ("expect", "100-continue"), ("expect", "x"), method: "GET") == 417)
    #expect(status(("expect", "x"), method: "GET", version: "HTTP/1.0") == nil)
  }

  @Test func `a POST without Content-Length is distinguished from one with an empty body`() throws {
    #expect(try body(("host", "a")) == .unstated)
    #expect(try body(("host", "a"), ("content-length", "0")) == .length(0))
    #expect(try body(("host", "a"), method: "PUT") == .length(0))
  }

  @Test(arguments: ["http://b.example/", "//", "a", "", "/a#b", "*"])
  func `a target must be an asterisk or a path without a fragment`(target: String) {
    let isPath = ["//", "*"].contains(target)
    #expect(status(("host", "a"), method: "GET", target: target) == (isPath ? nil : 400))
  }

  @Test(arguments: [
    ("a", true), ("a.example:8080", true), ("a:", true), ("127.0.0.1:1", true), ("[::1]", true),
    ("[::1]:8080", true), ("a_b-c~d", true), ("", true), (":80", false), ("u@a", false),
    ("u:p@a", false), ("a%2Fb", false), ("a:b", false), ("a:80:80", false), ("[::1", false),
    ("[]", false), ("[::1]a", false), ("[::1%25en0]", false), ("a[::1]", false), ("a b", false),
    ("a/b", false), ("a,b", true), ("\u{E9}", false), ("a:-1", false),
  ])
  func `a Host must be a host with an optional port`(
    host: String, isValid: Bool
  ) {
    #expect(status(("host", host), method: "GET") == (isValid ? nil : 400))
  }

  @Test(arguments: ["content-length ", "content length", "a\u{0}b", "a\rb", "", "é", "a(b)"])
  func `a field name must be a token`(name: String) {
    #expect(status(("host", "a"), (name, "1"), method: "GET") == 400)
  }

  @Test(arguments: ["a\rb", "a\nb", "a\u{0}b", "\u{7F}"])
  func `control characters in a field value are rejected`(value: String) {
    #expect(status(("host", "a"), ("x", value), method: "GET") == 400)
    #expect(status(("host", "a"), ("x", "a\tb é"), method: "GET") == nil)
  }

  @Test(arguments: ["/a b", "/a\tb", "/é", "/a%00b", "/\u{7F}"])
  func `invalid characters in a request target are rejected`(target: String) {
    #expect(status(("host", "a"), method: "GET", target: target) == 400)
    #expect(status(("host", "a"), method: "GET", target: "/%C3%A9?a=%20b+c&d") == nil)
  }

  @Test func `a method must be a token`() {
    #expect(status(("host", "a"), method: "G(T") == 400)
    #expect(status(("host", "a"), method: "BREW") == nil)
  }
}
