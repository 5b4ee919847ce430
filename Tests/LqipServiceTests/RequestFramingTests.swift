import Testing

@testable import LqipService

@Suite struct RequestFramingTests {
  /// Returns the framing of a head, whose lines are separated by `|`.
  private func body(_ text: String) throws(Problem) -> RequestFraming.Body {
    let lines = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let words = lines[0].split(separator: "~", omittingEmptySubsequences: false).map(String.init)
    let fields = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(parts[0]), value: String(parts[1]))
    }
    return try RequestFraming.body(
      of: RequestHead(
        method: words[0], path: words[1], query: [], fields: fields, target: words[1],
        version: words[2]))
  }

  private func status(_ text: String) -> Int? {
    do throws(Problem) {
      _ = try body(text)
      return nil
    } catch {
      return error.status
    }
  }

  @Test(arguments: [
    ("GET~/~HTTP/1.1|host:a", RequestFraming.Body.length(0)), ("GET~/~HTTP/1.0", .length(0)),
    ("PUT~/~HTTP/1.1|host:a", .length(0)), ("POST~/~HTTP/1.1|host:a", .unstated),
    ("POST~/~HTTP/1.1|host:a|content-length:0", .length(0)),
    ("POST~/~HTTP/1.1|host:a|content-length:0042", .length(42)),
    ("POST~/~HTTP/1.1|host:a|content-length:\(String(repeating: "9", count: 40))", .length(.max)),
    ("POST~/~HTTP/1.0|content-length:7", .length(7)),
    ("POST~/~HTTP/1.1|host:a|transfer-encoding:Chunked", .chunked),
    ("GET~/~HTTP/1.1|host:a|expect:100-Continue", .length(0)),
    ("GET~/~HTTP/1.0|expect:x", .length(0)), ("GET~//~HTTP/1.1|host:a", .length(0)),
    ("GET~/%C3%A9?a=%20b+c&d~HTTP/1.1|host:a", .length(0)),
    ("BREW~/~HTTP/1.1|host:a|x:a\tb é", .length(0)),
  ])
  func `the head determines the framing of the body`(
    head: String, expected: RequestFraming.Body
  ) throws {
    #expect(try body(head) == expected)
  }

  @Test(arguments: ["", "+5", "-1", "0x10", "5,5", "5, 5", "5 ", " 5", "5.0", "٥", "1e3"])
  func `a length must consist of digits`(length: String) {
    #expect(status("POST~/~HTTP/1.1|host:a|content-length:\(length)") == 400)
  }

  @Test(arguments: [
    "identity", "gzip", "chunked, chunked", "chunked, gzip", "gzip, chunked", "xchunked",
    "chunked;a=b", "chunked ", "\u{B}chunked", "",
  ])
  func `transfer codings other than chunked are rejected`(coding: String) {
    #expect(status("POST~/~HTTP/1.1|host:a|transfer-encoding:\(coding)") == 400)
  }

  @Test(arguments: [
    ("POST~/~HTTP/1.1|host:a|content-length:5|content-length:5", 400),
    ("POST~/~HTTP/1.1|host:a|content-length:5|content-length:6", 400),
    ("POST~/~HTTP/1.1|host:a|content-length:5|transfer-encoding:chunked", 400),
    ("POST~/~HTTP/1.1|host:a|transfer-encoding:chunked|content-length:5", 400),
    ("POST~/~HTTP/1.1|host:a|transfer-encoding:chunked|transfer-encoding:chunked", 400),
    ("POST~/~HTTP/1.0|host:a|transfer-encoding:chunked", 400),
    ("GET~/~HTTP/1.1", 400), ("GET~/~HTTP/1.1|host:a|host:a", 400),
    ("GET~/~HTTP/1.0|host:a|host:b", 400), ("G(T~/~HTTP/1.1|host:a", 400),
    ("GET~/~HTTP/1.1|host:a|expect:200-ok", 417), ("GET~/~HTTP/1.1|host:a|expect:", 417),
    ("GET~/~HTTP/1.1|host:a|expect:100-continue|expect:x", 417),
  ])
  func `repeated, conflicting and unsupported fields are rejected`(head: String, expected: Int) {
    #expect(status(head) == expected)
  }

  @Test(arguments: [
    "http://b.example/", "a", "", "/a#b", "*", "/a b", "/a\tb", "/é", "/a%00b", "/\u{7F}",
  ])
  func `a target must be a path without a fragment or invalid characters`(target: String) {
    #expect(status("GET~\(target)~HTTP/1.1|host:a") == 400)
  }

  @Test(arguments: [
    ("a", true), ("a.example:8080", true), ("a:", true), ("127.0.0.1:1", true), ("[::1]", true),
    ("[::1]:8080", true), ("a_b-c~d", true), ("", true), (":80", false), ("u@a", false),
    ("u:p@a", false), ("a%2Fb", false), ("a:b", false), ("a:80:80", false), ("[::1", false),
    ("[]", false), ("[::1]a", false), ("[::1%25en0]", false), ("a[::1]", false), ("a b", false),
    ("a/b", false), ("a,b", false), ("\u{E9}", false), ("a:-1", false),
  ])
  func `a Host must be a host with an optional port`(host: String, isValid: Bool) {
    #expect(status("GET~/~HTTP/1.1|host:\(host)") == (isValid ? nil : 400))
  }

  @Test(arguments: [
    "content-length :1", "content length:1", "a\u{0}b:1", "a\rb:1", ":1", "é:1", "a(b):1",
    "x:a\rb", "x:a\nb", "x:a\u{0}b", "x:\u{7F}",
  ])
  func `a field name must be a token, and a value has no control characters`(field: String) {
    #expect(status("GET~/~HTTP/1.1|host:a|\(field)") == 400)
  }
}

@Suite struct ParsedHeadTests {
  /// Returns whether a head is strict; `~` stands for each NUL that libmicrohttpd writes into it.
  private func isStrict(_ head: String, target: String = "/a?b") -> Bool {
    let bytes = head.utf8.map { $0 == UInt8(ascii: "~") ? 0 : $0 }
    let start = bytes.prefix { $0 != 0 }.count + 1
    return ParsedHead.isStrict(
      bytes.span, targetRange: start..<(start + target.utf8.count),
      versionOffset: start + target.utf8.count + 1)
  }

  @Test(arguments: [
    "GET~/a~b~HTTP/1.1~~Host~ a~~~~", "GET~/a~b~HTTP/1.1~~Host~~~X~b~~~~", "GET~/a~b~HTTP/1.0~~~~",
  ])
  func `an unambiguous head is strict`(head: String) {
    #expect(isStrict(head))
  }

  @Test func `a truncated, extended or altered head is not strict`() {
    let head = Array("GET~/a~b~HTTP/1.1~~Host~ a~~X~b~~~~")
    for length in 0..<head.count { #expect(!isStrict(String(head[..<length]))) }
    #expect(!isStrict(String(head) + "~") && !isStrict(String(head) + "x"))
    for index in 17..<head.count {
      var changed = head
      changed.remove(at: index)
      let isNUL = head[index] == "~"
      if isNUL { #expect(!isStrict(String(changed)), "\(String(changed))") }
      changed = head
      changed.insert("~", at: index)
      #expect(!isStrict(String(changed)), "\(String(changed))")
    }
  }
}
