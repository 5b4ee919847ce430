import Foundation
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

@Suite struct TransferFunctionTests {
  /// Source: ITU-T H.273, table 3.
  @Test func `the raw values of transfer functions match ITU-T H.273`() {
    let known = (UInt8.min...UInt8.max).filter { TransferFunction(rawValue: $0) != nil }
    #expect(known == [1, 4, 5, 6, 8, 13, 14, 15, 16, 18])
    #expect(TransferFunction.pq.rawValue == 16)
    #expect(TransferFunction.hlg.rawValue == 18)
  }

  @Test(arguments: [1, 4, 5, 6, 8, 13, 14, 15] as [UInt8])
  func `transfer functions are monotonic from black to white`(number: UInt8) throws {
    let transfer = try #require(TransferFunction(rawValue: number))
    let light = (0...255).map { transfer.linear(Double($0) / 255) }
    #expect(abs(light[0]) < 1e-9)
    #expect(abs(light[255] - 1) < 1e-9)
    #expect(zip(light, light.dropFirst()).allSatisfy { $0 < $1 })
    #expect(transfer.hdrName == nil)
  }

  @Test func `the sRGB function matches IEC 61966-2-1`() {
    for sample in UInt8.min...UInt8.max {
      let light = TransferFunction.sRGB.linear(Double(sample) / 255)
      #expect(abs(light - IEC61966.linear(ofSample: sample)) < 1e-12)
    }
  }

  /// Source: ITU-R BT.709, item 1.2, inverted.
  @Test(arguments: [0.01, 0.018, 0.05, 0.18, 0.5, 0.9])
  func `the BT.709 curve inverts the camera curve`(light: Double) {
    let encoded = light < 0.018 ? 4.5 * light : 1.099 * pow(light, 0.45) - 0.099
    #expect(abs(TransferFunction.bt709.linear(encoded) - light) < 1e-6)
  }

  /// A luminance of 203 cd/m² has a signal of 58% in PQ and 75% in HLG; a gray card of 26 cd/m² has 38% in both.
  ///
  /// Source: ITU-R BT.2408, table 1.
  @Test func `HDR reference white maps to 1`() {
    #expect(abs(TransferFunction.pq.linear(0.58) - 1) < 0.02)
    #expect(abs(TransferFunction.hlg.linear(0.75) - 1) < 0.02)
    #expect(abs(TransferFunction.pq.linear(0.38) * 203 - 26) < 1)
    #expect(abs(TransferFunction.hlg.linear(0.38) * 203 - 26) < 1)
  }
}
