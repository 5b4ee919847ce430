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
}
