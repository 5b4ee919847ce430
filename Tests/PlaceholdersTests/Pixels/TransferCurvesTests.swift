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

  @Test func `nothing missing changes nothing`() {
    #expect(TransferCurves.sRGB.compensated(for: .zero) == .sRGB)
  }

  @Test func `what samples lack is added to each channel`() {
    let compensated = TransferCurves.sRGB.compensated(for: [0.5, 3, -2])
    func light(_ channel: Int, _ sample: Int) -> Double {
      Double(compensated.light[channel * 256 + sample]) / Self.unit
    }
    for sample in 2...250 {
      let halfway = (Double(SRGB.linear[sample]) + Double(SRGB.linear[sample + 1])) / 2
      #expect(abs(light(0, sample) - halfway) < 1e-6)
      #expect(abs(light(1, sample) - Double(SRGB.linear[sample + 3])) < 1e-6)
      #expect(abs(light(2, sample) - Double(SRGB.linear[sample - 2])) < 1e-6)
    }
  }

  @Test func `what samples lack takes none of them beyond the ends`() {
    let compensated = TransferCurves.sRGB.compensated(for: [300, -300, 0.25])
    #expect(compensated.light[..<256].allSatisfy { $0 == 1 << 35 })
    #expect(compensated.light[256..<512].allSatisfy { $0 == 0 })
    #expect(compensated.light[767] == 1 << 35)
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
