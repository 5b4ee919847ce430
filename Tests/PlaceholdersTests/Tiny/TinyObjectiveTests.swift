import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct TinyObjectiveTests {
  private static let image = PixelGrid.noise(width: 24, height: 24)

  /// The encoded colors of 8×8 pixels, without dark ones, where the search limits the derivatives.
  private static let picture: [SIMD4<Float>] = {
    var random = LCG(seed: 5)
    return (0..<64).map { _ in SIMD4(SIMD3.random(in: 0.4...0.9, using: &random), 0) }
  }()

  /// The linear light of a picture, enlarged to 24×24 cells by bilinear interpolation of encoded colors.
  private static func enlarged(_ picture: [SIMD4<Float>]) -> [SIMD3<Float>] {
    func neighbors(_ cell: Int, _ count: Int) -> (first: Int, second: Int, share: Float) {
      let position = (Float(cell) + 0.5) / 24 * Float(count) - 0.5
      let first = Int(position.rounded(.down))
      return (max(0, first), min(count - 1, first + 1), position - Float(first))
    }
    return (0..<576).map { cell in
      let (x, y) = (neighbors(cell % 24, 8), neighbors(cell / 24, 8))
      func row(_ y: Int) -> SIMD4<Float> {
        picture[y * 8 + x.first] * (1 - x.share) + picture[y * 8 + x.second] * x.share
      }
      return IEC61966.linear(
        ofEncoded: (row(y.first) * (1 - y.share) + row(y.second) * y.share).xyz)
    }
  }

  /// The colors of 24×24, 12×12, 6×6 and 3×3 cells in OKLab, with tints multiplied by 1.3.
  private static func scales(_ light: [SIMD3<Float>]) -> [[SIMD3<Float>]] {
    [24, 12, 6, 3].map { side in
      let size = 24 / side
      return (0..<side * side).map { cell in
        var sum = SIMD3<Float>.zero
        for part in 0..<size * size {
          let (x, y) = (cell % side * size + part % size, cell / side * size + part / size)
          sum += light[y * 24 + x]
        }
        return Oklab(linear: sum / Float(size * size)).components * SIMD3(1, 1.3, 1.3)
      }
    }
  }

  /// The distance by definition, and the mean inverse distance of the finest cells.
  private static func distance(_ picture: [SIMD4<Float>]) -> (distance: Double, importance: Double)
  {
    func root(_ difference: SIMD3<Float>) -> Double {
      (Double(dot(difference, difference)) + 0.000_05).squareRoot()
    }
    let differences = zip(scales(enlarged(picture)), scales(image.cells)).map { pair in
      zip(pair.0, pair.1).map { $0 - $1 }
    }
    var result = (distance: 0.0, importance: 0.0)
    for (scale, weight) in zip(differences, [1, 0.1, 0.1, 0.1]) {
      for difference in scale { result.distance += weight / Double(scale.count) * root(difference) }
    }
    for difference in differences[0] { result.importance += 1 / 576 / root(difference) }
    return result
  }

  @Test func `the objective is the distance from the image at four scales`() {
    let value = TinyObjective(Self.image).value(Self.picture)
    let exact = Self.distance(Self.picture)
    #expect(abs(Double(value.distance) - exact.distance) < 0.001 * exact.distance)
    let importance = value.slope.reduce(0) { $0 + $1.w }
    #expect(abs(Double(importance) - exact.importance) < 0.01 * exact.importance)
  }

  @Test func `the slope of the objective matches finite differences of the distance`() {
    let value = TinyObjective(Self.image).value(Self.picture)
    let step: Float = 0.005
    for pixel in Self.picture.indices {
      for channel in 0..<3 {
        var (above, below) = (Self.picture, Self.picture)
        above[pixel][channel] += step
        below[pixel][channel] -= step
        let change = Self.distance(above).distance - Self.distance(below).distance
        let exact = change / Double(2 * step)
        #expect(abs(Double(value.slope[pixel][channel]) - exact) < 0.03 * abs(exact) + 0.000_05)
      }
    }
  }
}
