import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipService

extension ServerTests {
  @Suite struct MultipartFormTests {
    private func answer(
      _ body: String, type: String = "multipart/form-data; boundary=xyz",
      limits: ServerLimits = ServerLimits()
    ) throws -> RawClient.Answer {
      let server = try TestServer(limits, maximum: 1 << 20)
      let client = try server.client()
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: \(type)\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      return try client.answer()
    }

    private func part(_ name: String, _ content: String) -> String {
      "--xyz\r\nContent-Disposition: form-data; name=\"a\"; filename=\"\(name)\"\r\n"
        + "Content-Type: image/png\r\n\r\n\(content)\r\n"
    }

    @Test(arguments: [
      "multipart/form-data; boundary=xyz", "Multipart/Form-Data;boundary=\"xyz\"",
    ])
    func `files come in their order`(type: String) throws {
      let answer = try answer(part("one", "abc") + part("two ü", "de") + "--xyz--\r\n", type: type)
      #expect(answer.status == 200)
      #expect(answer.body == Array("one=3;two ü=2;".utf8))
    }

    @Test func `a file may be empty, large or look like a boundary`() throws {
      let large = String(repeating: "\r\n--xy", count: 50_000)
      let answer = try answer(part("e", "") + part("l", large) + part("f", "") + "--xyz--")
      #expect(answer.body == Array("e=0;l=\(large.utf8.count);f=0;".utf8))
    }

    @Test func `fields that are no files are left out`() throws {
      let field = "--xyz\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nvalue\r\n"
      #expect(
        try answer(field + part("one", "abc") + field + "--xyz--").body == Array("one=3;".utf8))
      #expect(try answer(field + "--xyz--").body.isEmpty)
    }

    @Test func `a form that breaks off is refused`() throws {
      for body in [part("one", "abc"), "--xyz\r\nContent-Disp", "--xyz--garbage"] {
        let answer = try answer(body)
        #expect(answer.status == 400)
        #expect(answer.code == "bad_request")
      }
    }

    @Test(arguments: ["multipart/form-data", "multipart/form-data; boundary="])
    func `a form without a boundary is refused`(type: String) throws {
      #expect(try answer(part("one", "abc") + "--xyz--", type: type).status == 400)
    }

    @Test func `too many files are refused`() throws {
      var limits = ServerLimits()
      limits.formFileCount = 2
      let two = part("a", "1") + part("b", "2")
      #expect(try answer(two + "--xyz--", limits: limits).status == 200)
      let answer = try answer(two + part("c", "3") + "--xyz--", limits: limits)
      #expect(answer.status == 413)
      #expect(answer.code == "too_large")
    }

    @Test func `other types are not forms`() throws {
      for type in [
        "image/png", "multipart/form-datax; boundary=xyz", "multipart/mixed; boundary=xyz",
      ] {
        #expect(try answer("abc", type: type).body == Array("abc".utf8))
      }
    }
  }
}
