import PlaceholdersTestSupport
import Testing

@testable import Placeholders

/// Tests that figures on plain and textured backgrounds remain visible.
@Suite struct LQIPSaliencyTests {
  /// A shape in a unit square, scaled to a share of its area.
  enum Shape: String, CaseIterable {
    case disc
    case barAtTheTop
    case barAtTheBottom
    case face
    case sun
    case logo

    func contains(_ x: Float, _ y: Float, area: Float) -> Bool {
      let radius = (area / .pi).squareRoot()
      func isWithin(_ centerX: Float, _ centerY: Float, _ stretch: Float) -> Bool {
        let across = (x - centerX) / (radius * stretch)
        let down = (y - centerY) / (radius / stretch)
        return across * across + down * down <= 1
      }
      return switch self {
      case .disc: isWithin(0.5, 0.5, 1)
      case .barAtTheTop: y <= area
      case .barAtTheBottom: y >= 1 - area
      case .face: isWithin(0.5, 0.45, 0.85)
      case .sun: isWithin(0.38, 0.35, 1)
      case .logo:
        abs(x - 0.5) <= (area * 1.5).squareRoot() / 2
          && abs(y - 0.5) <= (area / 1.5).squareRoot() / 2
      }
    }
  }

  private static let colors: [SIMD3<Float>] = [
    [0.86, 0.08, 0.1], [0.95, 0.5, 0.05], [0.97, 0.87, 0.1], [0.5, 0.8, 0.1], [0.05, 0.5, 0.15],
    [0, 0.5, 0.5], [0.1, 0.75, 0.9], [0.1, 0.25, 0.85], [0.45, 0.15, 0.75], [0.95, 0.45, 0.7],
    [0.45, 0.25, 0.1], [0.88, 0.67, 0.55],
  ]
  private static let grounds: [SIMD3<Float>] = [
    [1, 1, 1], [0, 0, 0], [0.5, 0.5, 0.5], [0.95, 0.92, 0.85],
  ]

  private static let side = 48

  /// The contrast between inside and outside in the placeholder, relative to the image averaged to 6×6 cells.
  private static func contrast(
    _ shape: Shape, area: Float, _ color: SIMD3<Float>, on ground: SIMD3<Float>, isTextured: Bool
  ) throws -> Float {
    var random = LCG(seed: 5)
    let isInside = (0..<side * side).map { point in
      shape.contains(
        (Float(point % side) + 0.5) / Float(side), (Float(point / side) + 0.5) / Float(side),
        area: area)
    }
    let grid = PixelGrid(width: side, height: side) { x, y in
      let noise: Float = isTextured ? Float.random(in: -0.1...0.1, using: &random) : 0
      let encoded = (isInside[y * side + x] ? color : ground) + noise
      return IEC61966.linear(ofEncoded: encoded.clamped(lowerBound: .zero, upperBound: .one))
    }
    func difference(_ light: (_ point: Int) -> SIMD3<Float>) -> SIMD3<Float> {
      var (inside, outside) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
      for point in isInside.indices {
        if isInside[point] { inside += light(point) } else { outside += light(point) }
      }
      let count = isInside.count { $0 }
      return Oklab(linear: inside / Float(count)).components
        - Oklab(linear: outside / Float(isInside.count - count)).components
    }
    let cells = grid.points(width: 6, height: 6)
    let seen = difference { cells[$0 / side * 6 / side * 6 + $0 % side * 6 / side].xyz }
    let bitmap = try LQIP(encoding: grid).bitmap(width: side, height: side)
    let rows = (0..<side).map { bitmap.linearRow($0) }
    let drawn = difference { rows[$0 / side][$0 % side].xyz }
    return dot(drawn, seen) / dot(seen, seen)
  }

  /// The contrasts of each color on two backgrounds, alternating between plain and textured.
  private static func contrasts(_ shape: Shape, area: Float) throws -> [Float] {
    try colors.indices.flatMap { color in
      try [0, 1].map { variant in
        try contrast(
          shape, area: area, colors[color], on: grounds[(color + 2 * variant) % 4],
          isTextured: (color / 2 + variant) % 2 == 0)
      }
    }
  }

  // On textured black, only paler colors could compensate for the width of the gradients.
  @Test(
    arguments: Shape.allCases,
    [(0.4, 0.5), (0.3, 0.5), (0.2, 0.5), (0.15, 0.45), (0.1, 0.3)] as [(Float, Float)])
  func `figures of 20 to 40 percent of the area keep half of their contrast`(
    shape: Shape, limit: (area: Float, least: Float)
  ) throws {
    let contrasts = try Self.contrasts(shape, area: limit.area)
    #expect(contrasts.allSatisfy { $0 >= limit.least }, "\(contrasts.sorted().prefix(5))")
  }

  /// Descent in steps of a single field would reach only 0.48.
  @Test func `a bar of 17.5 percent of the area keeps half of its contrast`() throws {
    let contrasts = try Self.contrasts(.barAtTheBottom, area: 0.175)
    #expect(contrasts.allSatisfy { $0 >= 0.499 }, "\(contrasts.sorted().prefix(5))")
  }
}
