import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct ThumbHashStringTests {
  @Test func `a ThumbHash string survives a round trip`() throws {
    for row in try Fixtures.table("thumbhash/hashes.tsv") {
      let text = try #require(row["hash"])
      let hash = try ThumbHash(parsing: text)
      #expect(hash.description == text)
      #expect(hash.bytes == Data(base64Encoded: text).map { Array($0) })
    }
  }

  @Test(arguments: [
    ("", ThumbHash.ParsingError.tooShort(byteCount: 0)),
    ("AAAAAA==", .tooShort(byteCount: 4)),
    ("no hash!", .notBase64),
    ("AAAAAAA", .notBase64),
    ("AAAAAAA=", .noShape(0)),
    ("AAAABwA=", .wrongLength(expected: 24, actual: 5)),
    ("AACABgA=", .noShape(6)),
    ("AACAAwA=", .wrongLength(expected: 23, actual: 5)),
  ])
  func `a string that no ThumbHash encoder produces is rejected`(
    text: String, error: ThumbHash.ParsingError
  ) {
    #expect(throws: error) { try ThumbHash(parsing: text) }
  }

  @Test func `a ThumbHash that is too short or too long is rejected`() throws {
    for golden in try ThumbHashGolden.rows().prefix(50) {
      #expect(throws: ThumbHash.ParsingError.self) { try ThumbHash(bytes: golden.hash.bytes + [0]) }
      for count in golden.hash.bytes.indices {
        #expect(throws: ThumbHash.ParsingError.self) {
          try ThumbHash(bytes: Array(golden.hash.bytes.prefix(count)))
        }
      }
    }
  }

  @Test func `a ThumbHash is encoded in JSON as a string`() throws {
    let hash = try #require(try ThumbHashGolden.rows().first).hash
    let text = try JSONEncoder().encode([hash])
    #expect(try JSONDecoder().decode([String].self, from: text) == [hash.description])
    #expect(try JSONDecoder().decode([ThumbHash].self, from: text) == [hash])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ThumbHash].self, from: Data("[\"x\"]".utf8))
    }
  }
}
