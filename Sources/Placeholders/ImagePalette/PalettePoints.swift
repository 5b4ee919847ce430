/// The points of an image in OKLab, with their weights.
///
/// The loops handle one point at a time; the compiler vectorizes them to handle four at a time.
struct PalettePoints {
  private let colors: PlaneStore

  /// The alpha of each point, 0...1; empty if all points are opaque.
  private let alphas: [Float]

  /// Each color times its weight, with the weight in the fourth lane: alpha, or zero below ``minimumAlpha``.
  private let weighted: [SIMD4<Float>]

  /// The mean color, with the sum of all weights in the fourth lane.
  let mean: SIMD4<Float>

  /// The alpha below which a point is invisible: half an 8-bit step.
  private static let minimumAlpha: Float = 0.5 / 255

  init(_ grid: PixelGrid) {
    let side = PixelGrid.thumbnailSide
    let (light, alphas) = grid.straightPoints(width: side, height: side)
    let all = 0..<light.count / 4
    let colors = PlaneStore(planeCount: 3, groupCount: all.count) { planes in
      let color = planes.color(0)
      for group in all {
        let first = 4 * group
        color.set(group, to: (light[first], light[first + 1], light[first + 2], light[first + 3]))
      }
      color.convertToOklab(over: all)
    }
    self.colors = colors
    self.alphas = alphas
    weighted = colors.with { planes in
      let (x, y, z) = (planes[0], planes[1], planes[2])
      return light.indices.map { point in
        let color = SIMD4(x[part: point], y[part: point], z[part: point], 1)
        guard !alphas.isEmpty else { return color }
        // The color of an invisible point may be NaN, which a factor of zero would keep.
        return alphas[point] < Self.minimumAlpha ? .zero : color * alphas[point]
      }
    }
    mean = ImagePalette.unweighted(weighted.reduce(.zero, +))
  }

  /// Selects ``ImagePalette/maximumCount`` colors: `first`, then repeatedly the point farthest from all previous
  /// colors.
  func farthest(from first: SIMD4<Float>) -> [SIMD4<Float>] {
    var found = [first]
    // Invisible points have a distance of zero.
    var distances =
      alphas.isEmpty
      ? Array(repeating: Float.infinity, count: weighted.count)
      : alphas.map { $0 < Self.minimumAlpha ? 0 : .infinity }
    colors.with { planes in
      let (x, y, z) = (planes[0], planes[1], planes[2])
      while found.count < ImagePalette.maximumCount {
        let color = found[found.count - 1]
        // The bit patterns of nonnegative numbers sort like the numbers. The index replaces the low ten bits, which
        // suffice for 1,024 points.
        var (largest, index) = (Int32.zero, Int32.zero)
        unsafe distances.withUnsafeMutableBufferPointer { distances in
          for point in 0..<distances.count {
            let offset = (
              x[part: point] - color.x, y[part: point] - color.y, z[part: point] - color.z
            )
            let distance = offset.0 * offset.0 + offset.1 * offset.1 + offset.2 * offset.2
            let least = unsafe distance < distances[point] ? distance : distances[point]
            unsafe distances[point] = least
            largest = max(largest, Int32(bitPattern: least.bitPattern) & ~1023 | index)
            index &+= 1
          }
        }
        let point = Int(largest & 1023)
        found.append(SIMD4(x[part: point], y[part: point], z[part: point], 0))
      }
    }
    return found
  }

  /// Returns, for each mean, the weighted sum of the points nearest to it.
  func sums(by means: [SIMD4<Float>]) -> [SIMD4<Float>] {
    var sums = [SIMD4<Float>](repeating: .zero, count: ImagePalette.maximumCount)
    for (nearest, point) in zip(nearest(of: means), weighted) { sums[Int(nearest)] += point }
    return sums
  }

  /// Returns, for each point, the index of the nearest mean.
  private func nearest(of means: [SIMD4<Float>]) -> [UInt32] {
    // The squared distance is `|point|² - 2 point · mean + |mean|²`. The constant 2 replaces `|point|²`, which is the
    // same for all means, so that the results stay positive. Vectors of a fixed size keep the means in registers.
    var (x, y, z) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    for index in 0..<ImagePalette.maximumCount {
      (x[index], y[index], z[index]) = (means[index].x, means[index].y, means[index].z)
    }
    let rest = x * x + y * y + z * z + 2
    let (doubleX, doubleY, doubleZ) = (-2 * x, -2 * y, -2 * z)
    return unsafe Array(unsafeUninitializedCapacity: weighted.count) { nearest, count in
      count = weighted.count
      colors.with { planes in
        let (x, y, z) = (planes[0], planes[1], planes[2])
        for point in 0..<weighted.count {
          var least = Float.infinity
          for index in 0..<ImagePalette.maximumCount {
            let product =
              doubleX[index] * x[part: point] + doubleY[index] * y[part: point]
              + doubleZ[index] * z[part: point]
            // The index of the mean replaces the low three bits.
            let bits = (product + rest[index]).bitPattern & ~7 | UInt32(truncatingIfNeeded: index)
            least = Float(bitPattern: bits) < least ? Float(bitPattern: bits) : least
          }
          unsafe nearest[point] = least.bitPattern & 7
        }
      }
    }
  }
}
