/// How far previews of integers are from an image: the mean squared distance in OKLab.
struct IntegerLQIPObjective {
  private static let (width, height) = (6, 4)

  /// The opacities of all cells at each point, one point after the other.
  private static let opacities: [Float] = (0..<height).flatMap { y in
    (0..<width).flatMap { x in
      IntegerLQIPLayer.opacities(
        x: (Float(x) + 0.5) / Float(width), y: (Float(y) + 0.5) / Float(height))
    }
  }

  /// The image in OKLab, row-major.
  private let points: [SIMD3<Float>]

  init(_ grid: PixelGrid) {
    points = grid.areaMeans(width: Self.width, height: Self.height).map {
      FastOklab.components(linear: clamped($0, to: .one)).components
    }
  }

  /// Whether no point has a color that is seen.
  var isNeutral: Bool {
    points.allSatisfy { $0.y * $0.y + $0.z * $0.z < 0.0004 }
  }

  /// Changes one level after the other as long as that helps.
  func descend(
    from levels: [Int], over base: IntegerLQIPBase
  ) -> (levels: [Int], base: IntegerLQIPBase, distance: Float) {
    let color = base.encoded
    var best = (levels: levels, base: base, distance: distance(of: levels, over: color))
    var isChanged = true
    while isChanged {
      isChanged = false
      for cell in levels.indices {
        for level in [best.levels[cell] - 1, best.levels[cell] + 1] where 0...3 ~= level {
          var other = best.levels
          other[cell] = level
          let distance = distance(of: other, over: color)
          guard distance < best.distance else { continue }
          best = (other, base, distance)
          isChanged = true
        }
      }
    }
    return best
  }

  private func distance(of levels: [Int], over color: SIMD3<Float>) -> Float {
    var sum: Float = 0
    for point in points.indices {
      let layer = IntegerLQIPLayer(
        levels: levels, opacities: Self.opacities[point * 6..<point * 6 + 6])
      let light = FastOklab.light(ofEncoded: clamped(layer.applied(to: color), to: .one)).light
      let offset = FastOklab.components(linear: light).components - points[point]
      sum += dot(offset, offset)
    }
    return sum
  }
}
