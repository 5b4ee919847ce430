/// The points of an image in OKLab, each with its weight.
///
/// What is computed of all is written for one after the other: in such loops the compiler takes four at a time.
struct PalettePoints {
  /// The components, one array each.
  private var x: [Float] = []
  private var y: [Float] = []
  private var z: [Float] = []

  /// The components of each point times its weight, beside that.
  private var weighted: [SIMD4<Float>] = []

  /// Less than half a step of samples is not seen.
  private static let leastAlpha: Float = 0.5 / 255

  /// Averages an image, and takes the points that are seen, each with its alpha for a weight.
  init(_ grid: PixelGrid) {
    let side = GridSampler.thumbnailSide
    let (colors, alphas) = GridSampler(grid).straightPoints(width: side, height: side)
    x.reserveCapacity(colors.count)
    y.reserveCapacity(colors.count)
    z.reserveCapacity(colors.count)
    weighted.reserveCapacity(colors.count)
    for first in stride(from: 0, to: colors.count, by: 4) {
      let four = (
        clamped(colors[first], to: .one), clamped(colors[first + 1], to: .one),
        clamped(colors[first + 2], to: .one), clamped(colors[first + 3], to: .one)
      )
      let color = FastOklab.components(
        red: Parts(four.0.x, four.1.x, four.2.x, four.3.x),
        green: Parts(four.0.y, four.1.y, four.2.y, four.3.y),
        blue: Parts(four.0.z, four.1.z, four.2.z, four.3.z))
      for lane in 0..<4 {
        let alpha = alphas.isEmpty ? 1 : alphas[first + lane]
        guard alpha >= Self.leastAlpha else { continue }
        x.append(color.x[lane])
        y.append(color.y[lane])
        z.append(color.z[lane])
        weighted.append(
          Palette.weighted(SIMD4(color.x[lane], color.y[lane], color.z[lane], alpha)))
      }
    }
  }

  /// Whether nothing is seen.
  var isEmpty: Bool { weighted.isEmpty }

  /// The sum of all weights.
  var weight: Float { weighted.reduce(0) { $0 + $1.w } }

  /// The mean color, with the sum of all weights.
  var mean: SIMD4<Float> { Palette.unweighted(weighted.reduce(.zero, +)) }

  /// Some colors, of which the first is given, and each other the first of the points that are farthest from
  /// those before it.
  func farthest(from first: SIMD4<Float>) -> [SIMD4<Float>] {
    var colors = [first]
    unsafe withComponents { x, y, z in
      var distances = [Float](repeating: .infinity, count: x.count)
      while colors.count < Palette.maximumCount {
        let color = colors[colors.count - 1]
        // The bits of numbers that are not below zero are in their order.
        var largest: UInt32 = 0
        unsafe distances.withUnsafeMutableBufferPointer { distances in
          for point in 0..<distances.count {
            let distance = unsafe squaredDistance(x[point], y[point], z[point], to: color)
            let least = unsafe distance < distances[point] ? distance : distances[point]
            unsafe distances[point] = least
            largest = max(largest, least.bitPattern)
          }
        }
        let point = distances.firstIndex { $0.bitPattern == largest } ?? 0
        colors.append(unsafe SIMD4(x[point], y[point], z[point], 0))
      }
    }
    return colors
  }

  /// The sums of the points by the first of the means that are nearest to them.
  func sums(by means: [SIMD4<Float>]) -> [SIMD4<Float>] {
    // With their number known, and apart from memory, they stay in registers.
    var lanes = (x: SIMD8<Float>.zero, y: SIMD8<Float>.zero, z: SIMD8<Float>.zero)
    for index in 0..<Palette.maximumCount {
      (lanes.x[index], lanes.y[index], lanes.z[index]) = (
        means[index].x, means[index].y, means[index].z
      )
    }
    var sums = [SIMD4<Float>](repeating: .zero, count: means.count)
    unsafe withComponents { x, y, z in
      let nearest = unsafe [UInt32](unsafeUninitializedCapacity: x.count) { nearest, count in
        count = x.count
        for point in 0..<count {
          var (best, bestIndex) = (Float.infinity, UInt32.zero)
          for index in 0..<Palette.maximumCount {
            let mean = SIMD4(lanes.x[index], lanes.y[index], lanes.z[index], 0)
            let distance = unsafe squaredDistance(x[point], y[point], z[point], to: mean)
            bestIndex = distance < best ? UInt32(truncatingIfNeeded: index) : bestIndex
            best = distance < best ? distance : best
          }
          unsafe nearest[point] = bestIndex
        }
      }
      for (mean, point) in zip(nearest, weighted) { sums[Int(mean)] += point }
    }
    return sums
  }

  private func withComponents(
    _ body: (
      _ x: UnsafeBufferPointer<Float>, _ y: UnsafeBufferPointer<Float>,
      _ z: UnsafeBufferPointer<Float>
    ) -> Void
  ) {
    unsafe x.withUnsafeBufferPointer { x in
      unsafe y.withUnsafeBufferPointer { y in
        unsafe z.withUnsafeBufferPointer { z in unsafe body(x, y, z) }
      }
    }
  }
}

@inline(__always)
private func squaredDistance(
  _ x: Float, _ y: Float, _ z: Float, to color: SIMD4<Float>
) -> Float {
  let (x, y, z) = (x - color.x, y - color.y, z - color.z)
  return x * x + y * y + z * z
}
