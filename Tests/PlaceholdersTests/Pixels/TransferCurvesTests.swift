import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct TransferCurvesTests {
  private static let unit = TransferCurves.unit

  /// The same power of encoded values for each channel.
  private static func power(_ exponent: Double) -> TransferCurves {
    let curve = (0...255).map { Float(pow(Double($0) / 255, exponent)) }
    return TransferCurves(red: curve, green: curve, blue: curve)
  }

  @Test func `fixed point holds the sRGB table without rounding`() {
    let light = TransferCurves.sRGB.light
    #expect(light.count == 768)
    for (index, light) in light.enumerated() {
      #expect(Double(light) / Self.unit == Double(SRGB.linear[index % 256]))
    }
  }

  @Test func `tables lie in the order red, green, blue`() {
    let flat = { (value: Float) in Array(repeating: value, count: 256) }
    let light = TransferCurves(red: flat(0.25), green: flat(0.5), blue: flat(1)).light
    #expect(
      [light[0], light[255], light[256], light[511], light[512], light[767]].map {
        Double($0) / Self.unit
      } == [0.25, 0.25, 0.5, 0.5, 1, 1])
  }

  @Test func `light beyond what can be shown is clamped`() {
    let curve = (0...255).map { Float($0) / 100 - 0.5 }
    let light = TransferCurves(red: curve, green: curve, blue: curve).light
    #expect(light[0] == 0)
    #expect(light[255] == 1 << 35)
  }

  @Test func `a function of samples holds for all channels`() {
    let light = TransferCurves { sample in sample / 510 }.light
    for (index, light) in light.enumerated() {
      #expect(abs(Double(light) / Self.unit - Double(index % 256) / 510) < 1e-7)
    }
  }

  @Test func `a curve is sRGB's while no sample is off by half a step`() {
    #expect(TransferCurves.sRGB.isSRGB)
    #expect(!Self.power(2.2).isSRGB)
    #expect(!Self.power(1).isSRGB)
    func shifted(by steps: Double) -> TransferCurves {
      let curve = (0...255).map {
        Float(IEC61966.linear(ofEncoded: max(0, min(1, (Double($0) + steps) / 255))))
      }
      return TransferCurves(red: SRGB.linear, green: curve, blue: SRGB.linear)
    }
    #expect(shifted(by: 0.4).isSRGB)
    #expect(!shifted(by: 0.6).isSRGB)
  }

  @Test func `an incomplete table is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      _ = TransferCurves(red: SRGB.linear, green: [], blue: SRGB.linear)
    }
  }
}
