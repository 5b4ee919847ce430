import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipService
@testable import LqipSystem

@Suite struct MultipartFormTests {
  /// Parses a body and returns each file as `NAME=CONTENT`, where the content of an unreadable part is `unread`.
  private func files(
    _ body: String, type: String = "multipart/form-data; boundary=xyz"
  ) throws -> [String] {
    try files(Array(body.utf8), type: type)
  }

  private func files(
    _ body: [UInt8], type: String = "multipart/form-data; boundary=xyz"
  ) throws -> [String] {
    let form = try #require(try MultipartForm(contentType: type))
    return try form.files(in: body.span).map { file in
      let content = file.range.map { body[$0] } ?? Array("unread".utf8)[...]
      return String(decoding: file.name.bytes + Array("=".utf8) + content, as: UTF8.self)
    }
  }

  private func part(_ name: String, _ content: String) -> String {
    "--xyz\r\nContent-Disposition: form-data; name=\"a\"; filename=\"\(name)\"\r\n"
      + "Content-Type: image/png\r\n\r\n\(content)\r\n"
  }

  /// Returns the code of the problem that a body causes; nil if the body is valid.
  private func code(_ body: String) -> String? {
    do {
      _ = try files(body)
      return nil
    } catch {
      return (error as? Problem)?.code
    }
  }

  /// Forms captured from curl 7.88 (also with --form-escape), requests, httpx, aiohttp (without
  /// quote_fields), Node.js 20, Chromium and Firefox, with a field `note` and two files.
  ///
  /// The clients differ in the boundary, the spelling of the names and the order of the fields.
  @Test(arguments: [
    ("------------------------a3715c2f32dce1e7", "a%22b ü.jpg", #"c\d.png"#, false),
    ("------------------------6f178461210db803", #"a\"b ü.jpg"#, #"c\\d.png"#, false),
    ("5a15f42b2a7991f7cd86322424f05537", "a%22b ü.jpg", #"c\d.png"#, false),
    ("2c0f589d6d0eb5c188cc97b8be42d5f6", "a%22b ü.jpg", #"c\\d.png"#, false),
    ("7f3ba1a36b2b4d3d9eddfd10aee7df3b", #"a\"b ü.jpg"#, #"c\\d.png"#, true),
    ("----formdata-undici-007938815742", "a%22b ü.jpg", #"c\d.png"#, false),
    ("----WebKitFormBoundaryIg4uvxLKsAj0SXGg", "a%22b ü.jpg", #"c\d.png"#, false),
    ("----geckoformboundary263e50027c751c67a4251f07e2e21606", "a%22b ü.jpg", #"c\d.png"#, false),
  ])
  func `captured forms are parsed with their file names`(
    boundary: String, first: String, second: String, hasTypeFirst: Bool
  ) throws {
    func part(_ name: String, _ type: String?, _ content: String) -> String {
      var fields = ["Content-Disposition: form-data; name=\"\(name)\""]
      if let type { fields.insert("Content-Type: \(type)", at: hasTypeFirst ? 0 : 1) }
      return (["--\(boundary)"] + fields + ["", content, ""]).joined(separator: "\r\n")
    }
    let body =
      part("note", hasTypeFirst ? "text/plain; charset=utf-8" : nil, "hello")
      + part("file\"; filename=\"\(first)", "image/jpeg", "\u{1}\u{2}\r\n--\u{3}")
      + part("file\"; filename=\"\(second)", "image/png", "\u{4}") + "--\(boundary)--\r\n"
    #expect(
      try files(body, type: "multipart/form-data; boundary=\(boundary)")
        == ["a\"b ü.jpg=\u{1}\u{2}\r\n--\u{3}", "c\\d.png=\u{4}"])
  }

  @Test(arguments: [
    "multipart/form-data; boundary=xyz", "Multipart/Form-Data;boundary=\"xyz\"",
    "multipart/form-data; boundary=xyz; charset=UTF-8", "multipart/form-data; Boundary=xyz",
    "multipart/form-data ; charset=\"a;b\" ; boundary = xyz ",
  ])
  func `the files of a form are returned in order`(type: String) throws {
    #expect(
      try files(part("one", "abc") + part("two ü", "de") + "--xyz--\r\n", type: type)
        == ["one=abc", "two ü=de"])
  }

  @Test func `the preamble and the epilogue are ignored`() throws {
    for (start, end) in [
      ("", ""), ("", "\r\n"), ("\r\n", "\r\nepilogue"), ("preamble\r\n", " \t\r\n--xyz\r\n"),
      ("--xyzz\r\n--xy\r\n", " "),
    ] {
      #expect(try files(start + part("a", "1") + "--xyz--" + end) == ["a=1"])
    }
    let padded = part("a", "1").replacing("--xyz\r\n", with: "--xyz \t\r\n")
    #expect(try files(padded + "--xyz--") == ["a=1"])
  }

  @Test func `boundaries of 1 to 200 characters are accepted`() throws {
    for boundary in ["-", "a", "_x'()+_,-./:=?", String(repeating: "b", count: 200)] {
      let body = (part("a", "\r\n--") + "--xyz--").replacing("--xyz", with: "--\(boundary)")
      #expect(
        try files(body, type: "multipart/form-data; boundary=\(boundary)") == ["a=\r\n--"])
    }
  }

  @Test(arguments: [
    ("form-data; filename=a.jpg", "a.jpg"), ("form-data; name=f; filename=\"\"", ""),
    ("FORM-DATA; NAME=f; FILENAME=\"a b\"", "a b"),
    (#"form-data; filename="a\"b.jpg""#, #"a"b.jpg"#),
    (#"form-data; filename="a\\b.jpg""#, #"a\b.jpg"#),
    (#"form-data; filename="C:\d\e.jpg""#, #"C:\d\e.jpg"#),
    (#"form-data; filename="a;b=c""#, "a;b=c"),
    (#"form-data; filename="a%22b%0D%0a%20%""#, "a\"b\r\n%20%"),
    ("form-data; filename=plain; filename*=UTF-8''%e2%82%ac", "€"),
    // The style of .NET.
    ("form-data; filename=\"=?utf-8?B?w7wuanBn?=\"; filename*=utf-8''%C3%BC.jpg", "ü.jpg"),
    ("form-data; filename*=utf-8'en'a%20b; filename=plain", "a b"),
    ("form-data; filename=a; filename*=iso-8859-1''%FC", "a"),
    ("form-data; filename=a; filename*=nonsense", "a"), ("attachment; filename=a", "a"),
  ])
  func `escaped and encoded file names are decoded`(disposition: String, name: String) throws {
    let body = "--xyz\r\nX: y\r\nX\r\ncontent-DISPOSITION:\(disposition)\r\n\r\n1\r\n--xyz--"
    #expect(try files(body) == ["\(name)=1"])
  }

  @Test func `a file name may contain any bytes`() throws {
    let body =
      Array("--xyz\r\nContent-Disposition: form-data; filename=\"".utf8) + [0xFF, 0]
      + Array("\"\r\n\r\n1\r\n--xyz--".utf8)
    #expect(try files(body) == ["\u{FFFD}\0=1"])
  }

  @Test func `fields that are not files are ignored`() throws {
    let field = "--xyz\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nvalue\r\n"
    #expect(try files(field + part("one", "abc") + field + "--xyz--") == ["one=abc"])
    #expect(try files(field + "--xyz--").isEmpty)
    #expect(try files("--xyz\r\n\r\nvalue\r\n--xyz\r\n\r\n\r\n--xyz--").isEmpty)
    #expect(try files("--xyz--\r\n").isEmpty)
  }

  @Test(arguments: [
    "", "--xyz", "--xyz\r\n", "--xyz\r\nContent-Disp", "--xyz--garbage", "--xyz-", "no form",
    "--xyz\r\nContent-Disposition: form-data; filename=a\r\n\r\n1",
    "--xyz\r\nContent-Disposition: form-data; filename=a\r\n\r\n1\r\n--xyz",
    "--xyz\nContent-Disposition: form-data; filename=a\n\n1\n--xyz--\n",
    "--xyz\r\nContent-Disposition: form-data; filename=a\r\n"
      + "Content-Disposition: form-data; filename=b\r\n\r\n1\r\n--xyz--",
  ])
  func `a truncated or ambiguous form is rejected`(body: String) {
    #expect(code(body) == "bad_request")
  }

  @Test(arguments: [
    "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
    "multipart/form-data; boundary=a; boundary=b", "multipart/form-data; boundary=\"a \"",
    "multipart/form-data; boundary=\"a\u{1}\"", "multipart/form-data; boundary=ü",
    "multipart/form-data; boundary", "multipart/form-data; xboundary=a",
  ])
  func `a form without a valid boundary is rejected`(type: String) {
    #expect(throws: Problem.self) { try files("--a--", type: type) }
  }

  @Test func `a part with an overlong header fails alone`() throws {
    let name = String(repeating: "y", count: 9000)
    #expect(
      try files(part("one", "1") + part(name, "2") + part("three", "3") + "--xyz--")
        == ["one=1", "=unread", "three=3"])
  }

  @Test func `too many files or fields are rejected`() throws {
    let parts = String(repeating: part("a", "1"), count: 100)
    #expect(try files(parts + "--xyz--").count == 100)
    #expect(code(parts + part("b", "2") + "--xyz--") == "too_large")
    #expect(code(String(repeating: "--xyz\r\n\r\n\r\n", count: 1001) + "--xyz--") == "too_large")
  }

  @Test(arguments: [
    nil, "", "image/png", "multipart/form-datax; boundary=xyz", "multipart/mixed; boundary=xyz",
  ])
  func `content types other than multipart/form-data are not forms`(type: String?) throws {
    #expect(try MultipartForm(contentType: type) == nil)
  }

  /// The simple parser searches for the delimiter at every offset.
  @Test(arguments: ["xyz", "Y", "YYa", "-", " Y"])
  func `the parser agrees with a simple parser on random contents`(boundary: String) throws {
    var random = OddValues(seed: 3)
    let pieces = [
      "\r\n", "--", boundary, "\r", "\n", " ", "\t", "--\(boundary)\r\n", "\r\n--\(boundary)",
      "\r\n\r\n", "a",
    ]
    var accepted = 0
    for _ in 1...5000 {
      let content = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      .joined()
      let body = (part("n", content) + "--xyz--").replacing("--xyz", with: "--\(boundary)")
      let expected = Self.firstContent(of: body, boundary)
      let read = (try? files(body, type: "multipart/form-data; boundary=\"\(boundary)\"")).map {
        $0.map { String($0.drop { $0 != "=" }.dropFirst()) }
      }
      #expect(read == nil || read?.first == expected, "\(content.debugDescription)")
      if !content.contains("--\(boundary)") {
        #expect(read == [content], "\(content.debugDescription)")
      }
      if read != nil { accepted += 1 }
    }
    #expect(accepted > 1000)
  }

  /// Returns the content of the first part, up to the first delimiter line.
  private static func firstContent(of body: String, _ boundary: String) -> String? {
    let bytes = Array(body.utf8)
    let start = (bytes.indices.first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) } ?? 0) + 4
    let delimiter = Array("\r\n--\(boundary)".utf8)
    for end in start..<bytes.count where bytes[end...].starts(with: delimiter) {
      var rest = bytes[(end + delimiter.count)...]
      let isLast = rest.starts(with: Array("--".utf8))
      if isLast { rest = rest.dropFirst(2) }
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
      guard rest.starts(with: [0x0D, 0x0A]) || isLast && rest.isEmpty else { continue }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
    return nil
  }
}
