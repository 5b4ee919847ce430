import Foundation
import Placeholders
import Testing

@Suite struct IntegerLQIPCodableTests {
  @Test(arguments: [-524_288, -1, 0, 524_287])
  func `a value is coded as its integer, and read back`(value: Int) throws {
    let integer = try #require(IntegerLQIP(value))
    let json = try JSONEncoder().encode([integer])
    #expect(String(decoding: json, as: UTF8.self) == "[\(value)]")
    #expect(try JSONDecoder().decode([IntegerLQIP].self, from: json) == [integer])
  }

  @Test(arguments: ["[524288]", "[-524289]", "[0.5]", "[null]", "[\"1\"]"])
  func `anything else is an error of decoding`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([IntegerLQIP].self, from: Data(json.utf8))
    }
  }
}
