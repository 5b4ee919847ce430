import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct GridAxisTests {
  private static let lengths = Array(1...700) + [1023, 1024, 4000, 6400, 65_500, 1_000_000]

  @Test func `the cells of an axis cover every pixel once, in symmetric and nearly equal parts`() {
    for length in Self.lengths {
      let axis = GridAxis(decodedLength: length, sourceLength: length, scale: 1)
      let bounds = axis.sourceBounds
      let sizes = zip(bounds, bounds.dropFirst()).map { $1 - $0 }
      #expect(bounds.first == 0 && bounds.last == length, "\(length)")
      #expect(bounds == bounds.reversed().map { length - $0 }, "\(length)")
      #expect(axis.count == sizes.count)
      #expect((min(length, 127)...128).contains(axis.count), "\(length)")
      let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
      #expect(least > 0 && most - least <= 2, "\(length)")
      #expect((most...length / axis.count + 2).contains(axis.maximumCellLength), "\(length)")
      for cell in sizes.indices {
        #expect(axis.cell(of: bounds[cell]) == cell && axis.cell(of: bounds[cell + 1] - 1) == cell)
      }
    }
  }

  @Test(arguments: [2, 4, 8])
  func `the cells of a scaled axis cover every source pixel once`(scale: Int) {
    for sourceLength in 1...700 {
      let decodedLength = (sourceLength + scale - 1) / scale
      let axis = GridAxis(decodedLength: decodedLength, sourceLength: sourceLength, scale: scale)
      let bounds = axis.sourceBounds
      #expect(bounds.first == 0 && bounds.last == sourceLength, "\(sourceLength)")
      #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "\(sourceLength)")
      #expect(bounds.dropLast().allSatisfy { $0 % scale == 0 }, "\(sourceLength)")
    }
  }
}

@Suite struct TransferCurvesTests {
  private static let unit = TransferCurves.unit

  /// Curves that raise encoded values to the same power for each channel.
  private static func power(_ exponent: Double) -> TransferCurves {
    let curve = (0...255).map { Float(pow(Double($0) / 255, exponent)) }
    return TransferCurves(red: curve, green: curve, blue: curve)
  }

  @Test func `the light table is ordered red, green, blue`() {
    let flat = { (value: Float) in Array(repeating: value, count: 256) }
    let light = TransferCurves(red: flat(0.25), green: flat(0.5), blue: flat(1)).light
    #expect(
      [light[0], light[255], light[256], light[511], light[512], light[767]].map {
        Double($0) / Self.unit
      } == [0.25, 0.25, 0.5, 0.5, 1, 1])
  }

  @Test func `curve values out of range are clamped`() {
    let curve = (0...255).map { Float($0) / 100 - 0.5 }
    let light = TransferCurves(red: curve, green: curve, blue: curve).light
    #expect(light[0] == 0)
    #expect(light[255] == 1 << 35)
  }

  @Test func `curves within half an 8-bit step of sRGB count as sRGB`() {
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

  @Test func `a curve of a length other than 256 traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = TransferCurves(red: SRGB.linear, green: [], blue: SRGB.linear)
    }
  }
}

@Suite struct ColorMatrixTests {
  /// The colorants of Apple's Display P3 profile, relative to D50.
  private static let displayP3 = ColorMatrix(
    redXYZ: [0.515102, 0.241196, -0.001050], greenXYZ: [0.291965, 0.692236, 0.041885],
    blueXYZ: [0.157153, 0.066569, 0.784073])

  private static func expect(_ color: SIMD3<Float>, near expected: SIMD3<Float>) {
    let difference = color - expected
    #expect(
      max(abs(difference.x), abs(difference.y), abs(difference.z)) < 0.0005,
      "\(color), not \(expected)")
  }

  /// Source: CSS Color 4, sample code: linear Display P3 to XYZ times XYZ to linear sRGB.
  @Test func `Display P3 is converted to sRGB according to its primaries`() {
    Self.expect(Self.displayP3.red.xyz, near: [1.224940, -0.042057, -0.019638])
    Self.expect(Self.displayP3.green.xyz, near: [-0.224940, 1.042057, -0.078636])
    Self.expect(Self.displayP3.blue.xyz, near: [0, 0, 1.098274])
    #expect(!Self.displayP3.isIdentity)
  }

  @Test func `colors out of gamut are clamped`() {
    #expect(Self.displayP3([1, 0, 0, 0]) == [1, 0, 0, 0])
  }

  @Test func `a matrix that changes a color by one 8-bit step is not the identity`() {
    #expect(!ColorMatrix(red: [1, 0, 0], green: [0.005, 1, 0], blue: [0, 0, 1]).isIdentity)
    #expect(ColorMatrix(red: [1, 0, 0], green: [0.001, 1, 0], blue: [0, 0, 1]).isIdentity)
  }
}
