import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords
@testable import LqipService

@Suite struct MultipartFormTests {
  /// Parses a body and returns each file as `NAME=CONTENT`.
  private func files(
    _ body: String, type: String = "multipart/form-data; boundary=xyz", maximum: Int = 100
  ) throws -> [String] {
    try files(Array(body.utf8), type: type, maximum: maximum)
  }

  private func files(
    _ body: [UInt8], type: String = "multipart/form-data; boundary=xyz", maximum: Int = 100
  ) throws -> [String] {
    let form = try #require(try MultipartForm(contentType: type, maximumFileCount: maximum))
    return try form.files(in: body.span).map {
      String(
        decoding: $0.name.bytes + Array("=".utf8)
          + ($0.range.map { Array(body[$0]) } ?? Array("unread".utf8)), as: UTF8.self)
    }
  }

  private func part(_ name: String, _ content: String) -> String {
    "--xyz\r\nContent-Disposition: form-data; name=\"a\"; filename=\"\(name)\"\r\n"
      + "Content-Type: image/png\r\n\r\n\(content)\r\n"
  }

  /// Returns the code of the problem that a body causes; nil if the body is valid.
  private func code(_ body: String, maximum: Int = 100) -> String? {
    do {
      _ = try files(body, maximum: maximum)
      return nil
    } catch {
      return (error as? Problem)?.code
    }
  }

  @Test(arguments: CapturedForm.all)
  func `captured forms are parsed with their file names`(form: CapturedForm) throws {
    #expect(
      try files(form.body, type: form.type)
        == ["a\"b ü.jpg=\u{1}\u{2}\r\n--\u{3}", "c\\d.png=\u{4}"])
  }

  /// Forms in the style of .NET, Apache HttpClient and Akka, derived from their source code.
  @Test(arguments: [
    (
      "multipart/form-data; boundary=\"1-2\"",
      "--1-2\r\nContent-Type: image/jpeg\r\n"
        + "Content-Disposition: form-data; name=file; filename=a.jpg; filename*=utf-8''a.jpg\r\n\r\n"
        + "1\r\n--1-2--\r\n", "a.jpg=1"
    ),
    (
      "multipart/form-data; boundary=\"1-2\"",
      "--1-2\r\nContent-Disposition: form-data; name=file; "
        + "filename=\"=?utf-8?B?w7wuanBn?=\"; filename*=utf-8''%C3%BC.jpg\r\n\r\n1\r\n--1-2--\r\n",
      "ü.jpg=1"
    ),
    (
      "multipart/form-data; boundary=_x'()+_,-./:=?; charset=UTF-8",
      "--_x'()+_,-./:=?\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n"
        + "Content-Type: image/jpeg\r\nContent-Transfer-Encoding: binary\r\n\r\n1\r\n"
        + "--_x'()+_,-./:=?--\r\n", "a.jpg=1"
    ),
  ])
  func `forms from .NET, Apache HttpClient and Akka are parsed`(
    type: String, body: String, file: String
  ) throws {
    #expect(try files(body, type: type) == [file])
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

  @Test(arguments: [
    "", "x", "\r\n", "\r\n--xy", "\r\n--xyzz", "--xyz", "\r\n--xyz-", "\r\n--xyz--x", "\r--xyz--",
    "\n--xyz\n", "\r\n--xyz x", "\r\r\n\r\n\r", "\r\n--xy\r\n--xy\r\n",
    String(repeating: "\r\n--xy", count: 1000), String(repeating: "a", count: 31) + "\r\n",
  ])
  func `an uploaded file may be empty or resemble a boundary`(content: String) throws {
    #expect(
      try files(part("a", content) + part("b", content) + "--xyz--")
        == ["a=\(content)", "b=\(content)"])
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
    for boundary in ["-", "a", String(repeating: "b", count: 200)] {
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
    (#"form-data; filename="a\""#, #"a\"#), (#"form-data; filename="a;b=c""#, "a;b=c"),
    (#"form-data; filename="a%22b%0D%0a%20%""#, "a\"b\r\n%20%"),
    ("form-data; filename=plain; filename*=UTF-8''%e2%82%ac", "€"),
    ("form-data; filename*=utf-8'en'a%20b; filename=plain", "a b"),
    ("form-data; filename*=iso-8859-1''%FC", "ü"),
    ("form-data; filename=a; filename*=koi8-r''%C1", "a"),
    ("form-data; filename=a; filename*=nonsense", "a"), ("form-data;filename=a\r\n\t; name=b", "a"),
    ("form-data; name=f;\r\n filename=folded", "folded"), ("attachment; filename=a", "a"),
  ])
  func `escaped and encoded file names are decoded`(disposition: String, name: String) throws {
    let body = "--xyz\r\nX: y\r\nX\r\ncontent-DISPOSITION:\(disposition)\r\n\r\n1\r\n--xyz--"
    // If Content-Disposition is the first field, only `%22`, `%0D` and `%0A` are decoded.
    let first = body.replacing("X: y\r\nX\r\n", with: "")
    #expect(try files(first) == ["\(name)=1"])
    #expect(try files(body) == ["\(name)=1"])
  }

  @Test func `a file name may contain any bytes`() throws {
    let body =
      Array("--xyz\r\nContent-Disposition: form-data; filename=\"".utf8) + [0xFF, 0]
      + Array("\"\r\n\r\n1\r\n--xyz--".utf8)
    let form = try #require(
      try MultipartForm(contentType: "multipart/form-data; boundary=xyz", maximumFileCount: 1))
    #expect(try form.files(in: body.span).map(\.name.bytes) == [[0xFF, 0]])
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

  @Test func `a part with an overlong header is unreadable, and other parts are read`() throws {
    let name = String(repeating: "y", count: 9000)
    #expect(
      try files(part("one", "1") + part(name, "2") + part("three", "3") + "--xyz--")
        == ["one=1", "=unread", "three=3"])
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

  @Test func `too many files or fields are rejected`() throws {
    let two = part("a", "1") + part("b", "2")
    #expect(try files(two + "--xyz--", maximum: 2).count == 2)
    #expect(code(two + part("c", "3") + "--xyz--", maximum: 2) == "too_large")
    #expect(code(String(repeating: "--xyz\r\n\r\n\r\n", count: 1001) + "--xyz--") == "too_large")
  }

  @Test(arguments: [
    nil, "", "image/png", "multipart/form-datax; boundary=xyz", "multipart/mixed; boundary=xyz",
  ])
  func `content types other than multipart/form-data are not forms`(type: String?) throws {
    #expect(try MultipartForm(contentType: type, maximumFileCount: 1) == nil)
  }

  /// The simple parser searches for the delimiter at every offset.
  @Test func `the parser agrees with a simple parser on random contents`() throws {
    var random = OddValues(seed: 3)
    let pieces = ["\r\n", "--", "xyz", "\r", "\n", " ", "--xyz\r\n", "\r\n--xyz", "\r\n\r\n", "a"]
    var accepted = 0
    for _ in 1...20_000 {
      let content = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      .joined()
      let body = part("n", content) + "--xyz--"
      let expected = Self.simpleContents(of: body)
      let read = (try? files(body)).map { $0.map { String($0.drop { $0 != "=" }.dropFirst()) } }
      #expect(read == nil || expected.starts(with: read ?? []), "\(content.debugDescription)")
      if !content.contains("--xyz") { #expect(read == [content], "\(content.debugDescription)") }
      if read != nil { accepted += 1 }
    }
    #expect(accepted > 10_000)
  }

  /// Returns the content of the first part, up to the first delimiter line.
  private static func simpleContents(of body: String) -> [String] {
    let bytes = Array(body.utf8)
    let start = (bytes.indices.first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) } ?? 0) + 4
    let delimiter = Array("\r\n--xyz".utf8)
    for end in start..<bytes.count where bytes[end...].starts(with: delimiter) {
      var rest = bytes[(end + delimiter.count)...]
      let isLast = rest.starts(with: Array("--".utf8))
      if isLast { rest = rest.dropFirst(2) }
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
      guard rest.starts(with: [0x0D, 0x0A]) || isLast && rest.isEmpty else { continue }
      return [String(decoding: bytes[start..<end], as: UTF8.self)]
    }
    return []
  }
}
