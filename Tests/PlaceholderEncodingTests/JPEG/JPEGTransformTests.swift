import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct JPEGTransformTests {
  /// The lane of each horizontal frequency in a row.
  private static let lanes = [0, 4, 1, 5, 2, 6, 3, 7]

  @Test func `the zigzag order matches ITU-T T 81`() {
    // The position of each frequency in zigzag order. Source: ITU-T T.81, figure A.6.
    let order = [
      0, 1, 5, 6, 14, 15, 27, 28,
      2, 4, 7, 13, 16, 26, 29, 42,
      3, 8, 12, 17, 25, 30, 41, 43,
      9, 11, 18, 24, 31, 40, 44, 53,
      10, 19, 23, 32, 39, 45, 52, 54,
      20, 22, 33, 38, 46, 51, 55, 60,
      21, 34, 37, 47, 50, 56, 59, 61,
      35, 36, 48, 49, 57, 58, 62, 63,
    ]
    for (frequency, position) in order.enumerated() {
      #expect(JPEGTransform.zigzag[position] == frequency / 8 * 8 + Self.lanes[frequency % 8])
    }
  }

  @Test(arguments: 1...32)
  func `coefficients match the definition`(width: Int) {
    let planes = JPEGPlane.planes(of: .noise(width: width, height: 16))
    for plane in [planes.luma, planes.cb, planes.cr] {
      let length = plane.blockColumns * 8
      let reference = ReferenceBlock { 128 + Double(plane.samples[$1 * length + $0]) }
      guard !reference.isTied else { continue }
      var block = [SIMD8<Float>](repeating: .zero, count: 8)
      JPEGTransform.shared.setCoefficients(&block, of: plane, column: 0, row: 0)
      for (frequency, coefficient) in reference.coefficients.enumerated() {
        #expect(block[frequency / 8][Self.lanes[frequency % 8]] == Float(coefficient))
      }
    }
  }
}
