import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct ColorCodingTests {
  private static func coding(_ numbers: [UInt8]) -> ColorCoding? {
    ColorCoding(
      primaries: numbers[0], transfer: numbers[1], matrix: numbers[2], range: numbers[3])
  }

  @Test(arguments: [
    ([1, 13, 0, 1], Primaries.sRGB), ([12, 13, 0, 1], .displayP3), ([9, 14, 0, 1], .bt2020),
  ])
  func `cICP supports sRGB, Display P3 and BT.2020`(numbers: [UInt8], primaries: Primaries) {
    #expect(Self.coding(numbers)?.primaries == primaries)
  }

  /// Unspecified and reserved values, matrices other than RGB, and the narrow range.
  @Test(arguments: [
    [2, 13, 0, 1], [0, 13, 0, 1], [255, 13, 0, 1], [1, 2, 0, 1], [1, 3, 0, 1], [1, 17, 0, 1],
    [1, 13, 1, 1], [9, 16, 9, 1], [1, 13, 0, 0], [1, 13, 0, 2],
  ])
  func `unsupported cICP values are rejected`(numbers: [UInt8]) {
    #expect(Self.coding(numbers) == nil)
  }

  @Test func `light above white is clipped`() throws {
    let coding = try #require(Self.coding([9, 16, 0, 1]))
    let light = TransferCurves { coding.transfer.linear($0 / 255) }.light
    #expect(light[148] < light[149])
    #expect(light[255] == UInt64(TransferCurves.unit))
  }
}
