import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct CosineProjectionTests {
  @Test func `terms are the products of the image and the cosines`() {
    let bitmap = Bitmap.noise(width: 13, height: 11)
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
              cosines * IEC61966.linear(ofSample: bitmap.samples[(y * 13 + x) * 3 + channel])
          }
        }
      }
      let difference = SIMD3<Double>(term) - sum * (index == 0 ? 1 : 2) / (13 * 11)
      #expect((difference * difference).sum() < 1e-11)
    }
  }
}
