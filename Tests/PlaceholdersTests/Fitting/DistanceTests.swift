import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct PictureDistanceTests {
  @Test func `the distance between flat pictures is that of their colors, twice at three scales`() {
    let (one, other): (SIMD3<UInt8>, SIMD3<UInt8>) = ([200, 90, 40], [60, 120, 220])
    let found = PictureDistance(to: PixelGrid(.flat(one, width: 20, height: 10)))
      .distance(of: .flat(other, width: 4, height: 3))
    let colors = [one, other].map {
      Oklab(linear: RGBABitmap.flat($0, width: 1, height: 1).linearRow(0)[0].xyz)
    }
    #expect(abs(found - 6 * colors[0].distance(to: colors[1])) < 0.003)
  }

  @Test func `a distance is the sum of those of cells and of their means over 4×4 and 8×8 cells`()
    throws
  {
    var random = LCG(seed: 4)
    let colors = (0..<144).map { _ in
      SIMD3(
        Float.random(in: 0...1, using: &random), Float.random(in: 0...1, using: &random),
        Float.random(in: 0...1, using: &random))
    }
    let image = PixelGrid(width: 48, height: 48) { x, y in colors[y / 4 * 12 + x / 4] }
    let flat = RGBABitmap.flat([120, 90, 200], width: 48, height: 48)
    let color = Oklab(linear: flat.linearRow(0)[0].xyz)
    let expected = try [48, 12, 6].reduce(Float(0)) { sum, side in
      let distances = try image.areaMeans(width: side, height: side)
        .map { Oklab(linear: $0).distance(to: color) }
      let count = Float(distances.count)
      let squares = distances.reduce(0) { $0 + $1 * $1 }
      return sum + distances.reduce(0, +) / count + (squares / count).squareRoot()
    }
    #expect(abs(PictureDistance(to: image).distance(of: flat) - expected) < 0.003)
  }

  /// The cubic kernel with a = -0.5 as in the source: Keys, equation 4.
  private static func weight(_ distance: Double) -> Double {
    let (a, x) = (-0.5, abs(distance))
    if x < 1 { return (a + 2) * x * x * x - (a + 3) * x * x + 1 }
    return x < 2 ? a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a : 0
  }

  /// The share of each of `count` pixels in each of 48 cells along an axis.
  private static func shares(_ count: Int) -> [[Double]] {
    (0..<48).map { cell in
      let center = (Double(cell) + 0.5) / 48 * Double(count)
      let weights = (0..<count).map { weight(Double($0) + 0.5 - center) }
      return weights.map { $0 / weights.reduce(0, +) }
    }
  }

  @Test func `a picture has nearly no distance from its bicubic enlargement`() {
    var random = LCG(seed: 3)
    let (width, height) = (6, 4)
    let samples = (0..<width * height * 3).map { _ in UInt8.random(in: 80...170, using: &random) }
    let (columns, rows) = (Self.shares(width), Self.shares(height))
    let image = PixelGrid(width: 48, height: 48) { x, y in
      var color = SIMD3<Double>.zero
      for pixel in 0..<width * height {
        let share = columns[x][pixel % width] * rows[y][pixel / width]
        for channel in 0..<3 {
          color[channel] += share * Double(samples[pixel * 3 + channel]) / 255
        }
      }
      return IEC61966.linear(ofEncoded: SIMD3<Float>(color))
    }
    let picture = RGBABitmap(width: width, height: height, samples: samples)
    #expect(PictureDistance(to: image).distance(of: picture) < 0.006)
  }
}

@Suite struct OklabLatticeTests {
  @Test func `coarsened parts have the mean and variance of their points`() {
    let points = OklabLattice(PixelGrid.noise(width: 32, height: 32), side: 32)
    let parts = points.coarsened(by: 4)
    #expect(parts.side == 8)
    for part in 0..<64 {
      let members = (0..<16).map { index in
        points.means[(part / 8 * 4 + index / 4) * 32 + part % 8 * 4 + index % 4]
      }
      let mean = members.reduce(.zero, +) / 16
      let variance = members.reduce(0) { $0 + dot($1 - mean, $1 - mean) } / 16
      #expect(dot(parts.means[part] - mean, parts.means[part] - mean) < 1e-10)
      #expect(abs(parts.variances[part] - variance) < 1e-5)
    }
  }

  @Test(arguments: [
    ("flat-gray-128.png", true), ("jpeg-gray.jpg", true), ("jpeg-baseline-420.jpg", false),
    ("two-colors.png", false),
  ])
  func `only an image without color is neutral`(fixture: String, isNeutral: Bool) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    #expect(OklabLattice(grid, side: 32).isNeutral == isNeutral)
  }
}

@Suite struct QuadraticModelTests {
  /// The target mixes of two colors; the objective is half the squared distance from these targets.
  private static let wanted: [SIMD3<Float>] = [[0.2, 0.6, 0.4], [0.7, 0.1, 0.5]]
  private static let weights: [[Float]] = [[0.75, 0.25], [0.1, 0.9]]

  private static func distance(_ colors: [SIMD3<Float>]) -> Float {
    zip(weights, wanted).reduce(0) { sum, mix in
      let difference = mix.0[0] * colors[0] + mix.0[1] * colors[1] - mix.1
      return sum + dot(difference, difference) / 2
    }
  }

  private static func model(
    at colors: [SIMD3<Float>], wanted: [SIMD3<Float>] = Self.wanted
  ) -> QuadraticModel {
    var model = QuadraticModel(origin: colors)
    for (weights, wanted) in zip(weights, wanted) {
      model.add(
        slope: weights[0] * colors[0] + weights[1] * colors[1] - wanted,
        curvature: ([1, 0, 0], [0, 1, 0], [0, 0, 1])
      ) { weights[$0] }
    }
    return model
  }

  @Test func `the model of a quadratic function is exact`() {
    let origin: [SIMD3<Float>] = [[0.3, 0.3, 0.3], [0.6, 0.5, 0.4]]
    let end: [SIMD3<Float>] = [[0.9, 0.1, 0.2], [0, 1, 0.5]]
    let change = Self.model(at: origin).change(to: end)
    #expect(abs(change - (Self.distance(end) - Self.distance(origin))) < 1e-5)
  }

  @Test func `repeated minimization converges to colors that produce the target mixes`() {
    let origin = Array(repeating: SIMD3<Float>(repeating: 0.5), count: 2)
    var colors = origin
    for _ in 0..<20 { colors = Self.model(at: colors).minimizer() }
    #expect(Self.distance(colors) < 1e-6)
  }

  @Test func `the minimizer stays in range`() {
    let origin = Array(repeating: SIMD3<Float>(repeating: 0.5), count: 2)
    let colors = Self.model(at: origin, wanted: [[3, -3, 0], [3, -3, 0]]).minimizer()
    for color in colors {
      #expect(color.x == 1)
      #expect(color.y == -1)
      #expect(abs(color.z) < 0.1)
    }
  }
}
