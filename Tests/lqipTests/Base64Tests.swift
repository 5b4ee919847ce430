import Foundation
import Testing

@testable import lqip

@Suite struct Base64Tests {
  @Test(arguments: 0...70)
  func `bytes are encoded as Foundation does`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 197 + 250) }
    #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
  }
}
