import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct Base64Tests {
  @Test(arguments: 0...70)
  func `bytes are encoded as Foundation does`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 197 + 250) }
    #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
  }

  @Test(arguments: 0...70)
  func `what was encoded is decoded`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 197 + 250) }
    #expect(Base64.decode(Data(bytes).base64EncodedData()) == bytes)
  }

  @Test(arguments: [
    "YQ", "YQ=", "YR==", "YQ==\n", "Y Q==", "=YQ=", "Y", "Y===", "YQ==YQ==", "Y-==",
  ])
  func `any other text is refused`(text: String) {
    #expect(Base64.decode(text.utf8) == nil)
  }
}
