/// The distance between an image and small pictures of it, each stretched to 48×48 cells.
///
/// Colors are compared in OKLab at 48, 12 and 6 cells per side. A transparent image is compared over black and over
/// white.
package struct PictureDistance: Sendable {
  private static let side = 48

  /// The encoded gray level of each background, 0...1.
  private let backgrounds: [Float]
  private let views: [ScaledView]

  package init(to grid: PixelGrid) {
    backgrounds = grid.isOpaque ? [1] : [0, 1]
    let cells = Self.stretched(grid.scaled(width: Self.side, height: Self.side))
    views = backgrounds.map { ScaledView(cells, over: $0) }
  }

  /// Returns the sum of the mean distances and root mean squares at all scales, averaged over the backgrounds.
  package func distance(of picture: RGBABitmap) -> Float {
    let cells = Self.stretched(picture)
    var sum: Float = 0
    for (background, view) in zip(backgrounds, views) {
      sum += ScaledView(cells, over: background).distance(to: view)
    }
    return sum / Float(views.count)
  }

  /// Stretches a bitmap by interpolating encoded samples, premultiplied as in browsers; the fourth lane is alpha.
  private static func stretched(_ bitmap: RGBABitmap) -> [SIMD4<Float>] {
    let (width, height) = (bitmap.width, bitmap.height)
    let pixels = stride(from: 0, to: bitmap.pixels.count, by: 4).map { first -> SIMD4<Float> in
      let samples = SIMD3(
        Float(bitmap.pixels[first]), Float(bitmap.pixels[first + 1]),
        Float(bitmap.pixels[first + 2]))
      let alpha = Float(bitmap.pixels[first + 3]) / 255
      return SIMD4(samples * (alpha / 255), alpha)
    }
    let columns = CubicTaps.all(count: side, of: width)
    let rows = CubicTaps.all(count: side, of: height)
    var stretchedRows: [SIMD4<Float>] = []
    stretchedRows.reserveCapacity(height * side)
    for y in 0..<height {
      for taps in columns { stretchedRows.append(taps.sum(of: pixels, from: y * width, by: 1)) }
    }
    var cells: [SIMD4<Float>] = []
    cells.reserveCapacity(side * side)
    for taps in rows {
      for x in 0..<side { cells.append(taps.sum(of: stretchedRows, from: x, by: side)) }
    }
    return cells
  }
}

/// The weights of the pixels that contribute to a cell along an axis.
///
/// Source: Keys, "Cubic convolution interpolation for digital image processing" (1981), with a = -0.5; widened where
/// pixels are smaller than cells, as in Pillow.
private struct CubicTaps {
  let first: Int
  let weights: [Float]

  static func all(count: Int, of length: Int) -> [CubicTaps] {
    let step = Float(length) / Float(count)
    let width = max(1, step)
    return (0..<count).map { index in
      let center = (Float(index) + 0.5) * step
      let first = max(0, Int(center - 2 * width + 0.5))
      let end = min(length, Int(center + 2 * width + 0.5))
      let weights = (first..<end).map { weight((Float($0) + 0.5 - center) / width) }
      let sum = weights.reduce(0, +)
      return CubicTaps(first: first, weights: weights.map { $0 / sum })
    }
  }

  private static func weight(_ distance: Float) -> Float {
    let distance = abs(distance)
    guard distance < 2 else { return 0 }
    return distance < 1
      ? (1.5 * distance - 2.5) * distance * distance + 1
      : ((-0.5 * distance + 2.5) * distance - 4) * distance + 2
  }

  @inline(__always)
  func sum(of values: [SIMD4<Float>], from start: Int, by stride: Int) -> SIMD4<Float> {
    var sum = SIMD4<Float>.zero
    for index in weights.indices {
      sum += values[start + (first + index) * stride] * weights[index]
    }
    return sum
  }
}

/// A picture in OKLab at three scales, in groups of four cells.
private struct ScaledView: Sendable {
  /// The ranges of the groups at 48, 12 and 6 cells per side.
  private static let scales = [0..<576, 576..<612, 612..<621]
  private static let all = 0..<621

  private let planes: PlaneStore

  /// Blends premultiplied cells with a gray background, and converts them to OKLab at each scale.
  init(_ cells: [SIMD4<Float>], over background: Float) {
    planes = PlaneStore(planeCount: 3, groupCount: Self.all.count) { planes in
      let color = planes.color(0)
      for group in Self.scales[0] {
        func cell(_ lane: Int) -> SIMD4<Float> {
          let cell = cells[4 * group + lane]
          return clamped(cell + background * (1 - cell.w), to: .one)
        }
        color.set(group, to: (cell(0), cell(1), cell(2), cell(3)))
      }
      color.set(from: color, over: Self.scales[0]) { FastOklab.light(ofEncoded: $0) }
      for plane in [color.x, color.y, color.z] { Self.average(plane) }
      color.convertToOklab(over: Self.all)
    }
  }

  /// Sets the cells of the coarser scales to means.
  private static func average(_ plane: MutablePlane) {
    // A group is four adjacent cells of a row, so four groups below each other are a cell of the next scale.
    for part in 0..<144 {
      let first = part / 12 * 48 + part % 12
      let sum = plane[first] + plane[first + 12] + plane[first + 24] + plane[first + 36]
      plane[scales[1].lowerBound + part / 4][part % 4] = sum.sum() / 16
    }
    for part in 0..<36 {
      let first = scales[1].lowerBound * 4 + part / 6 * 24 + part % 6 * 2
      let sum =
        plane[part: first] + plane[part: first + 1] + plane[part: first + 12]
        + plane[part: first + 13]
      plane[scales[2].lowerBound + part / 4][part % 4] = sum / 4
    }
  }

  func distance(to other: ScaledView) -> Float {
    planes.with { planes in
      other.planes.with { others in
        let (color, other) = (planes.color(0), others.color(0))
        var sum: Float = 0
        for scale in Self.scales {
          var (distances, squares) = (Parts.zero, Parts.zero)
          for group in scale {
            let square = color.squaredDistance(from: other, group)
            squares += square
            distances += FastOklab.squareRoots(square)
          }
          let count = Float(scale.count * 4)
          sum += distances.sum() / count + (squares.sum() / count).squareRoot()
        }
        return sum
      }
    }
  }
}
