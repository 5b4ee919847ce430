import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipService
@testable import Placeholders

@Suite struct DecodeRouteTests {
  private static let hash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
  private static let tiny = "wdQjMglyx8HIoB7tXQ8VOHOqFcJT1eis"
  private let service = TestService()

  private func decode(
    _ query: String, _ fields: KeyValuePairs<String, String> = [:], method: String = "GET"
  ) -> Response {
    service.response(method, "/v1/decode?\(query)", fields)
  }

  @Test(arguments: [
    ([hash], "blurhash=\(hash)"), ([hash, "--height=30"], "height=30&blurhash=\(hash)"),
    (
      [hash, "--width=40", "--height=30", "--punch=1.5"],
      "blurhash=\(hash)&width=40&height=30&punch=1.5"
    ),
    (["#ccd94c11", "--width=9"], "lqip=#ccd94c11&width=9"),
    ([tiny, "--width=40", "--height=60"], "tiny=\(tiny)&width=40&height=60"),
    (["#ccd94c11", "--lqip2=#01234567"], "lqip=#ccd94c11&lqip2=#01234567"),
  ])
  func `a preview is immutable and equals the output of lqip decode`(
    arguments: [String], query: String
  ) throws {
    let response = decode(query)
    #expect(response.status == 200)
    #expect(response["content-type"] == ["image/png"])
    #expect(response["cache-control"] == ["public, max-age=31536000, immutable"])
    #expect(response["etag"].first?.wholeMatch(of: /"[0-9a-f]{64}"/) != nil)
    #expect(response.body == (try Program(["decode"] + arguments).output))
  }

  @Test func `the default width of a tall image is reduced to the limit of the height`() {
    // A gray BlurHash of 1×9 components.
    let response = decode("blurhash==00000\(String(repeating: "fQ", count: 8))")
    #expect(response.status == 200)
    let sides = [16, 20].map { first in
      response.body[first..<(first + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(sides == [113, 1017])
  }

  @Test func `an unescaped plus sign in a hash is accepted`() {
    let hash = "LEHV6nWB2yk8pyo0adR*.7kCM+nj"
    let spaced = hash.replacing("+", with: " ")
    #expect(decode("blurhash=\(spaced)&width=8").body == decode("blurhash=\(hash)&width=8").body)
  }

  @Test func `equal previews have equal ETags, and different previews have distinct ETags`() {
    let same = ["", "&width=256", "&height=192", "&punch=1", "&width=256&height=192&punch=1.0"]
    let others = ["&width=255", "&height=100", "&punch=1.1"]
    func tag(_ query: String) -> String? {
      decode(query)["etag"].first
    }
    #expect(Set(same.map { tag("blurhash=\(Self.hash)\($0)") }).count == 1)
    let distinct =
      (["", "&width=16"] + others).map { tag("blurhash=\(Self.hash)\($0)") }
      + ["", "&lqip2=#01234567", "&lqip2=#01234568"].map { tag("lqip=#ccd94c11\($0)") }
      + [tag("lqip=#ccd94c12"), tag("blurhash=LFHV6nWB2yk8pyo0adR*.7kCMdnj")]
    #expect(Set(distinct).count == distinct.count)
  }

  @Test(arguments: ["GET", "HEAD"])
  func `a matching ETag gets 304 without rendering`(method: String) throws {
    let tag = try #require(decode("blurhash=\(Self.hash)")["etag"].first)
    for field in [tag, "W/\(tag)", "\"other\", \(tag)", "\"other\",W/\(tag) , \"x\"", "*"] {
      let head = RequestHead(method, "/v1/decode?blurhash=\(Self.hash)", ["if-none-match": field])
      let response = try #require(service.refusal(of: head))
      #expect(response.status == 304)
      #expect(response.body.isEmpty)
      #expect(response["etag"] == [tag])
      #expect(response["cache-control"].count == 1)
      #expect(response["content-type"] == [])
    }
    for field in ["", "\"other\"", tag.replacing("\"", with: ""), "w/\(tag)", "\(tag)x"] {
      #expect(decode("blurhash=\(Self.hash)", ["if-none-match": field]).status == 200)
    }
  }

  @Test(arguments: [
    ("", "expected exactly one of: blurhash"), ("width=3", "expected exactly one of: blurhash"),
    ("blurhash=\(hash)&lqip=#ccd94c11", "expected exactly one of: blurhash"),
    ("blurhash=L", "malformed BlurHash 'L': expected at least 6 characters"),
    ("lqip=", "escape # as %23"), ("lqip=ccd94c11", "escape # as %23"),
    ("blurhash=\(hash)&height=1025", "'height': expected a whole number from 1 to 1024"),
    ("blurhash=\(hash)&width=7&width=7", "duplicate parameter 'width'"),
    ("blurhash=\(hash)&punch=nan", "'punch': expected a number above 0"),
    ("lqip=#ccd94c11&punch=2", "'punch' applies to BlurHash only"),
    ("lqip=#ccd94c11&lqip2=7", "'lqip2': expected '#' followed by 8 hexadecimal digits"),
    ("lqip=#ccd94c11&output=x", "unknown parameter 'output'"),
    ("blurhash=\(hash)&height=1024", "above the limit of 1024 per side"),
  ])
  func `an invalid request is rejected with the reason`(query: String, reason: String) {
    // The parameters are checked before the ETag, which a star would match.
    let response = decode(query, ["if-none-match": "*"])
    #expect(response.isProblem(400, "bad_parameter"))
    #expect(response.detail?.contains(reason) == true, "\(response.detail ?? "")")
  }

  @Test func `a preview of the maximum size is rendered`() throws {
    let response = decode("lqip=#ccd94c11&width=1024&height=1024")
    let image = try PlainPNG(response.body)
    #expect(image.header.prefix(8) == [0, 0, 4, 0, 0, 0, 4, 0])
  }
}
