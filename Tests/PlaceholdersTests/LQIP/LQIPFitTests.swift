import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct LQIPFitTests {
  private static let scenes = [
    "jpeg-half-scale-560x520.jpg", "jpeg-icc-display-p3.jpg", "size-640x480.png",
    "size-517x389.png", "orientation-6.png", "jpeg-cmyk-adobe-inverted.jpg",
  ]

  private static func distances(
    _ lqip: LQIP, from grid: PixelGrid
  ) -> [Float] {
    grid.distances(ofRendered: lqip.colors, lqip.gradients)
  }

  /// The distance after an exhaustive search of one color at a time, until no color improves.
  private static func bestCost(_ start: LQIP.PackedColors, _ objective: LQIPObjective) -> Float {
    func cost(_ packed: LQIP.PackedColors) -> Float { objective.distance(packed.channels).sum }
    var best = (packed: start, cost: cost(start))
    var before = Float.infinity
    while best.cost < before {
      before = best.cost
      for (shift, width) in [(21, 11), (10, 11), (0, 10)] as [(UInt32, UInt32)] {
        let others = best.packed.rawValue & ~((1 << width - 1) << shift)
        for value in 0..<(1 << width) as Range<UInt32> {
          let packed = LQIP.PackedColors(rawValue: others | value << shift)
          let cost = cost(packed)
          if cost < best.cost { best = (packed, cost) }
        }
      }
    }
    return best.cost
  }

  @Test(arguments: scenes)
  func `fitted colors are closer to the image than corner colors, summed over all scales`(
    fixture: String
  ) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    let fitted = Self.distances(LQIP(encoding: grid), from: grid)
    let corners = Self.distances(LQIP(encoding: grid, method: .corners), from: grid)
    #expect(fitted.reduce(0, +) <= corners.reduce(0, +))
    for (fitted, corners) in zip(fitted, corners) { #expect(fitted <= 1.02 * corners) }
  }

  @Test(arguments: scenes.prefix(3))
  func `the fitted colors match an exhaustive search`(fixture: String) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    let objective = LQIPObjective(
      image: ScaledImage(grid), weights: LQIPGradient.weights(layers: LQIPGradient.forThreeColors),
      base: [])
    let fitted = LQIP(encoding: grid).first
    let cost = objective.distance(fitted.channels).sum
    #expect(cost <= 1.01 * Self.bestCost(fitted, objective))
    let corners = LQIP(encoding: grid, method: .corners).first
    #expect(cost <= 1.01 * Self.bestCost(corners, objective))
  }

  @Test(arguments: scenes)
  func `three more colors never increase the distance`(fixture: String) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    let lqip = LQIP(encoding: grid, method: .six)
    #expect(lqip.first == LQIP(encoding: grid).first)
    let six = Self.distances(lqip, from: grid)
    let three = Self.distances(LQIP(lqip.first), from: grid)
    // The fit estimates the distances of the finest scale.
    for (six, three) in zip(six, three) { #expect(six <= 1.005 * three) }
  }

  @Test func `three more colors are encoded if they reduce the distance`() throws {
    let grid = try ImageDecoder().decode(fixture: "jpeg-icc-display-p3.jpg").grid
    #expect(LQIP(encoding: grid, method: .six).second != nil)
  }

  @Test func `flat gray images stay nearly gray, with at most the lightness error of rounding`()
    throws
  {
    var error: Float = 0
    var naiveError: Float = 0
    for gray in 0...255 as ClosedRange<UInt8> {
      let color = SRGBColor(red: gray, green: gray, blue: gray)
      let grid = PixelGrid(width: 12, height: 8) { _, _ in color.linear }
      let fitted = LQIP(encoding: grid)
      for lqip in [fitted, LQIP(encoding: grid, method: .six)] {
        let bitmap = try lqip.bitmap(width: 30, height: 20)
        for first in stride(from: 0, to: bitmap.pixels.count, by: 4) {
          let pixel = bitmap.pixels[first..<first + 3]
          #expect((pixel.max() ?? 0) - (pixel.min() ?? 0) <= 8, "\(gray): \(fitted)")
        }
      }
      let naive = LQIP(
        LQIP.PackedColors(
          rounding: Array(repeating: SIMD3(repeating: Float(gray) / 255), count: 3)))
      let lightness = Oklab(linear: color.linear).components.x
      error += abs(try Self.lightness(of: fitted) - lightness)
      naiveError += abs(try Self.lightness(of: naive) - lightness)
    }
    #expect(error <= naiveError)
  }

  @Test(arguments: ["#fa7814", "#09c809", "#1133aa", "#e0c0d0"])
  func `a flat image has three nearly equal colors`(text: String) throws {
    let color = try #require(SRGBColor(text))
    let grid = PixelGrid(width: 12, height: 8) { x, _ in
      x % 2 == 0 ? color.linear : color.linear * 1.01
    }
    let fitted = LQIP(encoding: grid, method: .six)
    #expect(fitted.second == nil)
    for (channel, sample) in [color.red, color.green, color.blue].enumerated() {
      for fitted in fitted.colors {
        #expect(abs(fitted[channel] * 255 - Float(sample)) <= 255 / 14)
      }
    }
  }

  /// The mean lightness of a rendering.
  private static func lightness(of lqip: LQIP) throws -> Float {
    let bitmap = try lqip.bitmap(width: 24, height: 24)
    let pixels = (0..<24).flatMap { bitmap.linearRow($0) }
    return pixels.reduce(0) { $0 + Oklab(linear: $1.xyz).components.x } / Float(pixels.count)
  }

  @Test(arguments: [("white.png", "#ffffffff"), ("black.png", "#00000000")])
  func `white and black images are encoded exactly`(fixture: String, text: String) throws {
    let grid = try ImageDecoder().decode(fixture: fixture).grid
    #expect(LQIP(encoding: grid).description == text)
  }
}
