import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct TransferFunctionTests {
  /// Source: ITU-T H.273, table 3.
  @Test func `numbers have the meaning of the standard`() {
    let known = (UInt8.min...UInt8.max).filter { TransferFunction(rawValue: $0) != nil }
    #expect(known == [1, 4, 5, 6, 8, 13, 14, 15, 16, 18])
    #expect(TransferFunction.pq.rawValue == 16)
    #expect(TransferFunction.hlg.rawValue == 18)
  }

  @Test(arguments: [1, 4, 5, 6, 8, 13, 14, 15] as [UInt8])
  func `black is dark, white is bright, and light grows between them`(number: UInt8) throws {
    let transfer = try #require(TransferFunction(rawValue: number))
    let light = (0...255).map { transfer.linear(Double($0) / 255) }
    #expect(abs(light[0]) < 1e-9)
    #expect(abs(light[255] - 1) < 1e-9)
    #expect(zip(light, light.dropFirst()).allSatisfy { $0 < $1 })
    #expect(transfer.hdrName == nil)
  }

  @Test func `sRGB is that of its own standard`() {
    for sample in UInt8.min...UInt8.max {
      let light = TransferFunction.sRGB.linear(Double(sample) / 255)
      #expect(abs(light - IEC61966.linear(ofSample: sample)) < 1e-12)
    }
  }

  /// Source: ITU-R BT.709, item 1.2, the other way round.
  @Test(arguments: [0.01, 0.018, 0.05, 0.18, 0.5, 0.9])
  func `the curve of BT 709 undoes the camera's`(light: Double) {
    let encoded = light < 0.018 ? 4.5 * light : 1.099 * pow(light, 0.45) - 0.099
    #expect(abs(TransferFunction.bt709.linear(encoded) - light) < 1e-6)
  }

  /// Source: ITU-R BT.2408, table 1: 203 cd/m² is the signal 58 % of PQ, and 75 % of HLG; a gray card of
  /// 26 cd/m² is 38 % of both.
  @Test func `HDR white is that of reference`() {
    #expect(abs(TransferFunction.pq.linear(0.58) - 1) < 0.02)
    #expect(abs(TransferFunction.hlg.linear(0.75) - 1) < 0.02)
    #expect(abs(TransferFunction.pq.linear(0.38) * 203 - 26) < 1)
    #expect(abs(TransferFunction.hlg.linear(0.38) * 203 - 26) < 1)
  }

  @Test func `HDR transfers have names`() {
    #expect(TransferFunction.pq.hdrName == "PQ")
    #expect(TransferFunction.hlg.hdrName == "HLG")
  }
}
