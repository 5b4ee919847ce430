import Foundation
import Testing

@testable import Placeholders

@Suite struct NearestCosineTests {
  /// glibc's cosine is the nearest number but for one in some thousands; that of others is not.
  @Test func `nearly all cosines are those of the C library`() {
    var differences = 0
    for length in 1...100 {
      for frequency in 0..<7 {
        for position in 0..<length {
          let angle = Double.pi / Double(length) * Double(frequency) * (Double(position) + 0.5)
          let expected = cos(angle)
          let own = NearestCosine.cosine(angle)
          #expect(abs(own - expected) <= expected.ulp.magnitude)
          if own != expected { differences += 1 }
        }
      }
    }
    #if canImport(Glibc)
    #expect(differences <= 40)
    #endif
  }
}
