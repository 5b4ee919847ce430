/// The distance between an image and small pictures of it, each stretched to 48×48 cells.
///
/// Colors are compared in OKLab at 48, 12 and 6 cells per side. A transparent image is compared over black and over
/// white.
package struct PictureDistance: Sendable {
  private static let side = 48

  /// The encoded gray level of each background, 0...1.
  private let backgrounds: [Float]
  private let views: [ScaledView]

  /// Prepares the comparison with an image.
  ///
  /// - Complexity: O(cells).
  package init(to grid: PixelGrid) {
    backgrounds = grid.isOpaque ? [1] : [0, 1]
    let cells = Self.stretched(grid.scaled(width: Self.side, height: Self.side))
    views = backgrounds.map { ScaledView(cells, side: Self.side, over: $0) }
  }

  /// Returns the sum of the mean distances and root mean squares at all scales, averaged over the backgrounds.
  ///
  /// - Complexity: O(pixels).
  package func distance(of picture: RGBABitmap) -> Float {
    let cells = Self.stretched(picture)
    var sum: Float = 0
    for (background, view) in zip(backgrounds, views) {
      sum += ScaledView(cells, side: Self.side, over: background).distance(to: view)
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
  private struct Group {
    var x: SIMD4<Float>
    var y: SIMD4<Float>
    var z: SIMD4<Float>
  }

  /// The ranges of the groups at 48, 12 and 6 cells per side.
  private static let scales = [0..<576, 576..<612, 612..<621]

  private let groups: [Group]

  /// Blends premultiplied cells with a gray background, and converts them to OKLab at each scale.
  init(_ cells: [SIMD4<Float>], side: Int, over background: Float) {
    var light: [Group] = []
    light.reserveCapacity(Self.scales[2].upperBound)
    for first in stride(from: 0, to: cells.count, by: 4) {
      let four = (cells[first], cells[first + 1], cells[first + 2], cells[first + 3])
      let behind = background * (1 - SIMD4(four.0.w, four.1.w, four.2.w, four.3.w))
      @inline(__always)
      func linear(_ channel: SIMD4<Float>) -> SIMD4<Float> {
        FastOklab.light(
          ofEncoded: (channel + behind).clamped(lowerBound: .zero, upperBound: .one))
      }
      light.append(
        Group(
          x: linear(SIMD4(four.0.x, four.1.x, four.2.x, four.3.x)),
          y: linear(SIMD4(four.0.y, four.1.y, four.2.y, four.3.y)),
          z: linear(SIMD4(four.0.z, four.1.z, four.2.z, four.3.z))))
    }
    // A group is four adjacent cells of a row, so four groups below each other are a cell of the next scale.
    let means = (0..<144).map { part -> SIMD3<Float> in
      let first = part / 12 * 48 + part % 12
      var sum = light[first]
      for row in 1..<4 {
        sum.x += light[first + row * 12].x
        sum.y += light[first + row * 12].y
        sum.z += light[first + row * 12].z
      }
      return SIMD3(sum.x.sum(), sum.y.sum(), sum.z.sum()) / 16
    }
    let coarse = (0..<36).map { part -> SIMD3<Float> in
      let first = part / 6 * 24 + part % 6 * 2
      return (means[first] + means[first + 1] + means[first + 12] + means[first + 13]) / 4
    }
    for cells in [means, coarse] {
      for first in stride(from: 0, to: cells.count, by: 4) {
        let four = (cells[first], cells[first + 1], cells[first + 2], cells[first + 3])
        light.append(
          Group(
            x: SIMD4(four.0.x, four.1.x, four.2.x, four.3.x),
            y: SIMD4(four.0.y, four.1.y, four.2.y, four.3.y),
            z: SIMD4(four.0.z, four.1.z, four.2.z, four.3.z)))
      }
    }
    let (cones, components) = (Oklab.conesOfLight, Oklab.componentsOfRoots)
    groups = light.map { light in
      let long = FastOklab.cubeRoots(Self.mix(light, cones.0))
      let medium = FastOklab.cubeRoots(Self.mix(light, cones.1))
      let short = FastOklab.cubeRoots(Self.mix(light, cones.2))
      let roots = Group(x: long, y: medium, z: short)
      return Group(
        x: Self.mix(roots, components.0), y: Self.mix(roots, components.1),
        z: Self.mix(roots, components.2))
    }
  }

  @inline(__always)
  private static func mix(_ group: Group, _ row: SIMD3<Float>) -> SIMD4<Float> {
    group.x * row.x + group.y * row.y + group.z * row.z
  }

  func distance(to other: ScaledView) -> Float {
    var sum: Float = 0
    for scale in Self.scales {
      var (distances, squares) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
      for index in scale {
        let x = groups[index].x - other.groups[index].x
        let y = groups[index].y - other.groups[index].y
        let z = groups[index].z - other.groups[index].z
        let square = x * x + y * y + z * z
        squares += square
        distances += FastOklab.squareRoots(square)
      }
      let count = Float(scale.count * 4)
      sum += distances.sum() / count + (squares.sum() / count).squareRoot()
    }
    return sum
  }
}
