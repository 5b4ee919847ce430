import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct LQIPFitTests {
  private static let scenes = [
    "jpeg-half-scale-560x520.jpg", "jpeg-icc-display-p3.jpg", "size-640x480.png",
    "size-517x389.png", "orientation-6.png", "jpeg-cmyk-adobe-inverted.jpg",
  ]

  /// The mean distance of a rendered placeholder from the image, at 48×48 points in exact OKLab.
  private static func distance(
    _ first: PackedLQIP, _ second: PackedLQIP? = nil, from grid: PixelGrid
  ) -> Float {
    let rendered = first.bitmap(width: 48, height: 48, second: second)
    let pixels = (0..<48).flatMap { rendered.linearRow($0) }
    return zip(pixels, grid.areaMeans(width: 48, height: 48)).reduce(0) { sum, pair in
      sum + Oklab(linear: pair.0).distance(to: Oklab(linear: pair.1))
    } / Float(pixels.count)
  }

  /// Changes one color after the other to the best of all its values, until none gets better.
  private static func exhausted(_ start: PackedLQIP, _ grid: PixelGrid) -> Float {
    let small = grid.squared(side: 16)
    let targets = small.cells.map { Oklab(linear: $0).components }
    let weights = (0..<256).map { part in
      LQIPWeights.weights(
        x: (Float(part % 16) + 0.5) / 16, y: (Float(part / 16) + 0.5) / 16,
        layers: LQIPGradient.three)
    }
    func cost(_ packed: PackedLQIP) -> Float {
      let colors = packed.colors
      return (0..<256).reduce(0) { sum, part in
        var mix = SIMD3<Float>.zero
        for color in 0..<3 { mix += weights[part][color] * colors[color] }
        let shown = FastOklab.components(linear: FastOklab.light(ofEncoded: mix).light).components
        let difference = shown - targets[part]
        return sum + dot(difference, difference).squareRoot()
      }
    }
    var best = (packed: start, cost: cost(start))
    var before = Float.infinity
    while best.cost < before {
      before = best.cost
      for (shift, width) in [(21, 11), (10, 11), (0, 10)] as [(UInt32, UInt32)] {
        let others = best.packed.rawValue & ~((1 << width - 1) << shift)
        for value in 0..<(1 << width) as Range<UInt32> {
          let packed = PackedLQIP(rawValue: others | value << shift)
          let cost = cost(packed)
          if cost < best.cost { best = (packed, cost) }
        }
      }
    }
    return distance(best.packed, from: grid)
  }

  @Test(arguments: scenes)
  func `the fitted colors are closer than the corners`(fixture: String) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    let fitted = Self.distance(PackedLQIP(encoding: grid), from: grid)
    let corners = Self.distance(PackedLQIP(encoding: grid, by: .corners), from: grid)
    #expect(fitted <= corners)
  }

  @Test(arguments: scenes.prefix(3))
  func `the fitted colors are as good as an exhaustive search`(fixture: String) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    let fitted = PackedLQIP(encoding: grid)
    #expect(Self.distance(fitted, from: grid) <= 1.03 * Self.exhausted(fitted, grid))
    let corners = PackedLQIP(encoding: grid, by: .corners)
    #expect(Self.distance(fitted, from: grid) <= 1.03 * Self.exhausted(corners, grid))
  }

  @Test(arguments: scenes)
  func `three more colors come closer`(fixture: String) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    let first = PackedLQIP(encoding: grid, by: .six)
    let second = PackedLQIP(encoding: grid, over: first)
    #expect(first == PackedLQIP(encoding: grid))
    #expect(Self.distance(first, second, from: grid) < 0.97 * Self.distance(first, from: grid))
  }

  @Test func `a flat gray stays gray, and as light as rounding would leave it`() {
    var error: Float = 0
    var naiveError: Float = 0
    for gray in 0...255 as ClosedRange<UInt8> {
      let color = SRGBColor(red: gray, green: gray, blue: gray)
      let grid = PixelGrid(width: 12, height: 8) { _, _ in color.linear }
      let fitted = PackedLQIP(encoding: grid)
      let second = PackedLQIP(encoding: grid, over: fitted)
      for bitmap in [
        fitted.bitmap(width: 30, height: 20), fitted.bitmap(width: 30, height: 20, second: second),
      ] {
        for first in stride(from: 0, to: bitmap.samples.count, by: 3) {
          let pixel = bitmap.samples[first..<first + 3]
          #expect((pixel.max() ?? 0) - (pixel.min() ?? 0) <= 8, "\(gray): \(fitted) \(second)")
        }
      }
      let naive = PackedLQIP(
        rounding: Array(repeating: SIMD3(repeating: Float(gray) / 255), count: 3))
      let lightness = Oklab(linear: color.linear).components.x
      error += abs(Self.lightness(of: fitted) - lightness)
      naiveError += abs(Self.lightness(of: naive) - lightness)
    }
    #expect(error <= naiveError)
  }

  /// The mean lightness of a rendering.
  private static func lightness(of packed: PackedLQIP) -> Float {
    let bitmap = packed.bitmap(width: 24, height: 24)
    let pixels = (0..<24).flatMap { bitmap.linearRow($0) }
    return pixels.reduce(0) { $0 + Oklab(linear: $1).components.x } / Float(pixels.count)
  }

  @Test(arguments: [("white.png", "#ffffffff"), ("black.png", "#00000000")])
  func `white and black are exact`(fixture: String, text: String) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    #expect(PackedLQIP(encoding: grid).string == text)
  }
}
