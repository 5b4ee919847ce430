/// The points of an image in OKLab, each with its weight.
///
/// What is computed of all is written for one after the other: in such loops the compiler takes four at a time.
struct PalettePoints {
  /// The colors: three planes.
  private let colors: PlaneStore

  /// Empty if all are opaque.
  private let alphas: [Float]

  /// The components of each color times its weight, beside that: its alpha, but none if it is not seen.
  private let weighted: [SIMD4<Float>]

  /// The mean color, with the sum of all weights.
  let mean: SIMD4<Float>

  /// Less than half a step of samples is not seen.
  private static let leastAlpha: Float = 0.5 / 255

  /// Averages an image.
  init(_ grid: PixelGrid) {
    let side = PixelGrid.thumbnailSide
    let (light, alphas) = grid.straightPoints(width: side, height: side)
    let all = 0..<light.count / 4
    let colors = PlaneStore(planeCount: 6, groupCount: all.count) { planes in
      let (color, roots) = (planes.color(0), planes.color(3))
      for group in all {
        let first = 4 * group
        color.set(group, to: (light[first], light[first + 1], light[first + 2], light[first + 3]))
      }
      roots.set(coneRootsOf: color, over: all)
      color.set(mixing: roots, by: Oklab.componentsOfRoots, over: all)
    }
    self.colors = colors
    self.alphas = alphas
    weighted = unsafe Array(unsafeUninitializedCapacity: light.count) { weighted, count in
      count = light.count
      colors.with { planes in
        let (x, y, z) = (planes[0], planes[1], planes[2])
        for point in 0..<light.count {
          unsafe weighted[point] = SIMD4(
            x[part: point], y[part: point], z[part: point], 1)
        }
      }
      for (point, alpha) in alphas.enumerated() {
        // What is not seen need not even be a number.
        unsafe weighted[point] = alpha < Self.leastAlpha ? .zero : weighted[point] * alpha
      }
    }
    mean = ImagePalette.unweighted(weighted.reduce(.zero, +))
  }

  /// Some colors, of which the first is given, and each other one of the points that are farthest from those
  /// before it.
  func farthest(from first: SIMD4<Float>) -> [SIMD4<Float>] {
    var found = [first]
    // What is not seen is never far.
    var distances =
      alphas.isEmpty
      ? Array(repeating: Float.infinity, count: weighted.count)
      : alphas.map { $0 < Self.leastAlpha ? 0 : .infinity }
    colors.with { planes in
      let (x, y, z) = (planes[0], planes[1], planes[2])
      while found.count < ImagePalette.maximumCount {
        let color = found[found.count - 1]
        // The bits of numbers that are not below zero are in their order; the last ten say whose they are, which
        // is enough for 1024 points.
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

  /// The sums of the points by the means that are nearest to them.
  func sums(by means: [SIMD4<Float>]) -> [SIMD4<Float>] {
    let nearest = nearest(of: means)
    var sums = [SIMD4<Float>](repeating: .zero, count: ImagePalette.maximumCount)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      unsafe nearest.withUnsafeBufferPointer { nearest in
        unsafe weighted.withUnsafeBufferPointer { weighted in
          for point in 0..<nearest.count { unsafe sums[Int(nearest[point])] += weighted[point] }
        }
      }
    }
    return sums
  }

  /// Which of the means is nearest to each point.
  private func nearest(of means: [SIMD4<Float>]) -> [UInt32] {
    // The squared distance is `|point|² - 2 point · mean + |mean|²`. Of the first, which is the same for all
    // means, a 2 takes the place, so that none is below zero. With their number known, and apart from memory,
    // the means stay in registers.
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
            // The last three bits say whose distance it is.
            let bits = (product + rest[index]).bitPattern & ~7 | UInt32(truncatingIfNeeded: index)
            least = Float(bitPattern: bits) < least ? Float(bitPattern: bits) : least
          }
          unsafe nearest[point] = least.bitPattern & 7
        }
      }
    }
  }
}

/// The colors that points are gathered around.
struct PaletteMeans {
  /// The components of each, beside the weight of its points; as many as a palette has at most.
  private(set) var means: [SIMD4<Float>]

  /// Starts from the mean of some points and from those that are farthest from the colors before them.
  init(of points: PalettePoints) {
    means = points.farthest(from: points.mean)
  }

  /// Moves each towards the mean of the points that are nearest to it; one without points stays.
  ///
  /// - Parameters:
  ///   - points: The points.
  ///   - step: How far: 1 is to their mean, and more is beyond that.
  /// - Returns: Whether one has moved.
  mutating func move(to points: PalettePoints, step: Float) -> Bool {
    let before = means
    for (index, sum) in points.sums(by: means).enumerated() {
      if sum.w > 0 { means[index] += (ImagePalette.unweighted(sum) - means[index]) * step }
      means[index].w = sum.w
    }
    return means != before
  }
}
