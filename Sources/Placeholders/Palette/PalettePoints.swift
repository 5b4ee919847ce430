/// The points of an image, four a group.
struct PalettePoints {
  private var groups: [(x: Parts, y: Parts, z: Parts)] = []
  /// The colors times their weights, beside these.
  private let weighted: [SIMD4<Float>]

  init(_ points: [SIMD4<Float>]) {
    weighted = points.map(Palette.weighted)
    groups = stride(from: 0, to: points.count, by: 4).map { first in
      let four = (0..<4).map { points[min(first + $0, points.count - 1)] }
      return (
        Parts(four[0].x, four[1].x, four[2].x, four[3].x),
        Parts(four[0].y, four[1].y, four[2].y, four[3].y),
        Parts(four[0].z, four[1].z, four[2].z, four[3].z)
      )
    }
  }

  /// Adds each point to the sum of the first of the means that are nearest.
  func add(to sums: inout [SIMD4<Float>], by means: [SIMD4<Float>]) {
    // In all lanes at once, which the compiler is slow to do by itself.
    let wide = means.enumerated().map { index, mean in
      (
        index: Parts(repeating: Float(index)), x: Parts(repeating: mean.x),
        y: Parts(repeating: mean.y), z: Parts(repeating: mean.z)
      )
    }
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      unsafe weighted.withUnsafeBufferPointer { weighted in
        for group in groups.indices {
          let point = groups[group]
          var best = Parts(repeating: .infinity)
          var nearest = Parts.zero
          for mean in wide {
            let (x, y, z) = (point.x - mean.x, point.y - mean.y, point.z - mean.z)
            let distance = x * x + y * y + z * z
            let isNearer = distance .< best
            best.replace(with: distance, where: isNearer)
            nearest.replace(with: mean.index, where: isNearer)
          }
          let first = group &* 4
          for lane in 0..<min(4, weighted.count &- first) {
            unsafe sums[Int(nearest[lane])] += weighted[first &+ lane]
          }
        }
      }
    }
  }
}
