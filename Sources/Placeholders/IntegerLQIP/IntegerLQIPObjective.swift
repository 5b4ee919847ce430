/// How far previews of integers are from an image: the mean squared distance in OKLab.
struct IntegerLQIPObjective {
  private static let (width, height) = (6, 4)

  /// What a cell does at four points, as in ``IntegerLQIPLayer``.
  private struct Layer {
    let factor: Parts
    let summand: Parts
  }

  /// The layers of each cell at each level, for one group of points after the other.
  private static let layers: [Layer] = (0..<width * height / 4).flatMap { group in
    let points = (group * 4..<group * 4 + 4).map { point in
      IntegerLQIPLayer.opacities(
        x: (Float(point % width) + 0.5) / Float(width),
        y: (Float(point / width) + 0.5) / Float(height))
    }
    return points[0].indices.flatMap { cell in
      let opacity = Parts(points[0][cell], points[1][cell], points[2][cell], points[3][cell])
      return (0..<4).map { level in
        let light = Float(level) * 0.4 - 0.6
        return Layer(factor: 1 - opacity * abs(light), summand: opacity * max(0, light))
      }
    }
  }

  /// The levels of the cells; the last two lanes mean nothing.
  private typealias Levels = SIMD8<Int>

  /// Looked up once, as that takes time.
  private let layers = Self.layers

  /// The light of the image at each point, row-major.
  private let light: [SIMD4<Float>]

  /// The same in OKLab, four points a group.
  private let groups: [(x: Parts, y: Parts, z: Parts)]

  init(_ grid: PixelGrid) {
    let thumbnail = GridSampler(GridSampler(grid).thumbnail)
    let light = thumbnail.points(width: Self.width, height: Self.height)
    self.light = light
    groups = stride(from: 0, to: light.count, by: 4).map { first in
      let colors = (first..<first + 4).map { point in
        FastOklab.components(linear: clamped(light[point], to: .one).xyz).components
      }
      func lanes(_ channel: Int) -> Parts {
        Parts(colors[0][channel], colors[1][channel], colors[2][channel], colors[3][channel])
      }
      return (lanes(0), lanes(1), lanes(2))
    }
  }

  /// The image's mean light over each cell of three columns and two rows.
  var cells: [SIMD3<Float>] {
    (0..<6).map { cell in
      let first = cell / 3 * 2 * Self.width + cell % 3 * 2
      let sum =
        light[first] + light[first + 1] + light[first + Self.width] + light[first + Self.width + 1]
      return (sum * 0.25).xyz
    }
  }

  /// Whether no point has a color that is seen.
  var isNeutral: Bool {
    groups.allSatisfy {
      (($0.y * $0.y + $0.z * $0.z) .< Parts(repeating: 0.0004)) == SIMDMask(repeating: true)
    }
  }

  /// Changes one level after the other as long as that helps.
  func descend(
    from levels: [Int], over base: IntegerLQIPBase
  ) -> (levels: [Int], base: IntegerLQIPBase, distance: Float) {
    let color = base.encoded
    var best = Self.lanes(levels)
    var least = distance(of: best, over: color, limit: .infinity)
    var (cell, unchangedCount) = (0, 0)
    while unchangedCount < levels.count {
      unchangedCount += 1
      for level in [best[cell] - 1, best[cell] + 1] where 0...3 ~= level {
        var other = best
        other[cell] = level
        let distance = distance(of: other, over: color, limit: least)
        guard distance < least else { continue }
        (best, least) = (other, distance)
        unchangedCount = 0
      }
      cell = (cell + 1) % levels.count
    }
    return (levels.indices.map { best[$0] }, base, least)
  }

  /// The distance of a preview.
  func distance(of levels: [Int], over base: IntegerLQIPBase) -> Float {
    distance(of: Self.lanes(levels), over: base.encoded, limit: .infinity)
  }

  private static func lanes(_ levels: [Int]) -> Levels {
    var lanes = Levels.zero
    for (cell, level) in levels.enumerated() { lanes[cell] = level }
    return lanes
  }

  /// The distance; some number that is not less than a limit if the distance is not.
  private func distance(of levels: Levels, over color: SIMD3<Float>, limit: Float) -> Float {
    var sum: Float = 0
    unsafe layers.withUnsafeBufferPointer { layers in
      for group in groups.indices {
        var (factor, summand) = (Parts.one, Parts.zero)
        for cell in stride(from: 5, through: 0, by: -1) {
          let layer = unsafe layers[(group &* 6 &+ cell) &* 4 &+ levels[cell]]
          factor *= layer.factor
          summand = summand * layer.factor + layer.summand
        }
        let red = Self.light(color.x * factor + summand)
        let green = Self.light(color.y * factor + summand)
        let blue = Self.light(color.z * factor + summand)
        sum += squaredDistance(red, green, blue, groups[group]).sum()
        if sum >= limit { return }
      }
    }
    return sum
  }

  @inline(__always)
  private static func light(_ encoded: Parts) -> Parts {
    // None is below zero.
    FastOklab.light(ofEncoded: encoded.replacing(with: Parts.one, where: encoded .> Parts.one))
  }

  @inline(__always)
  private func squaredDistance(
    _ red: Parts, _ green: Parts, _ blue: Parts, _ target: (x: Parts, y: Parts, z: Parts)
  ) -> Parts {
    let color = FastOklab.components(red: red, green: green, blue: blue)
    let (x, y, z) = (color.x - target.x, color.y - target.y, color.z - target.z)
    return x * x + y * y + z * z
  }
}
