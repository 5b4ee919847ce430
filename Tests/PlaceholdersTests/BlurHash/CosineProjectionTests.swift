import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct CosineBasisTests {
  @Test(arguments: 0..<20)
  func `the cosine of a cell is the sum of the cosines of its pixels`(seed: UInt64) {
    var random = LCG(seed: seed)
    var bounds = [0]
    for _ in 0..<Int.random(in: 1...128, using: &random) {
      bounds.append(bounds[bounds.count - 1] + Int.random(in: 1...60, using: &random))
    }
    let length = bounds[bounds.count - 1]
    let extents = zip(bounds, bounds.dropFirst()).map { $0..<$1 }
    let basis = CosineBasis(componentCount: 9, extents: extents)
    #expect(basis.values.count == 9)
    for (component, values) in basis.values.enumerated() {
      #expect(values.count == extents.count)
      for (value, extent) in zip(values, extents) {
        let sum = extent.reduce(0) { sum, x in
          sum + cos(Double.pi * Double(component) * Double(x) / Double(length))
        }
        #expect(abs(Double(value) - sum) < 1e-6 * Double(extent.count) + 1e-6)
      }
    }
  }

  @Test(arguments: [1, 2, 7, 128, 1000])
  func `the cosine of a pixel is sampled at its left edge`(length: Int) {
    let basis = CosineBasis(componentCount: 9, length: length)
    for (component, values) in basis.values.enumerated() {
      #expect(values.count == length)
      for (x, value) in values.enumerated() {
        let angle = Double.pi * Double(component) * Double(x) / Double(length)
        #expect(abs(Double(value) - cos(angle)) < 2e-6)
      }
    }
  }
}

@Suite struct CosineProjectionTests {
  @Test func `terms are the inner products of the image with the basis functions`() {
    let bitmap = RGBABitmap.noise(width: 13, height: 11)
    var projection = CosineProjection(
      columns: CosineBasis(componentCount: 4, length: 13),
      rows: CosineBasis(componentCount: 3, length: 11))
    for y in 0..<11 { projection.add(bitmap.linearRow(y)[...], y: y) }
    let terms = projection.terms(pixelCount: 13 * 11)
    #expect(terms.count == 12)
    for (index, term) in terms.enumerated() {
      let (j, i) = index.quotientAndRemainder(dividingBy: 4)
      var sum = SIMD3<Double>.zero
      for y in 0..<11 {
        for x in 0..<13 {
          let cosines =
            cos(Double.pi * Double(i * x) / 13) * cos(Double.pi * Double(j * y) / 11)
          for channel in 0..<3 {
            sum[channel] +=
              cosines * IEC61966.linear(ofSample: bitmap.pixels[(y * 13 + x) * 4 + channel])
          }
        }
      }
      let difference = SIMD3<Double>(term) - sum * (index == 0 ? 1 : 2) / (13 * 11)
      #expect((difference * difference).sum() < 1e-11)
    }
  }
}
