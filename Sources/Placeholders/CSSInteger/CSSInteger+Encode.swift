extension CSSInteger {
  /// Encodes an image by searching for the integer whose preview is closest to it in OKLab.
  ///
  /// For an image that looks gray, only gray base colors are candidates.
  ///
  /// - Parameter grid: The image.
  /// - Complexity: O(cells).
  public init(encoding grid: PixelGrid) {
    let grid = grid.opaqueThumbnail
    let objective = CSSIntegerObjective(grid)
    let tint = objective.isNeutral ? .zero : Oklab(linear: grid.average).components
    /// Returns the field whose value is nearest to a component of the tint.
    func field(_ component: Float, first: Float) -> Int {
      max(0, min(7, Int(((component - first) * 8 / 0.7).rounded())))
    }
    let (a, b) = (field(tint.y, first: -0.35), field(tint.z, first: 0.7 / 8 - 0.35))
    // The best lightness often differs from that of the image, so a search starts from each.
    let fits = (0...3).map { objective.descended(from: objective.start(lightness: $0, a, b)) }
    let best = fits.min { $0.distance < $1.distance } ?? fits[0]
    self.init(fields: best.fields)
  }
}

/// The distance of previews from an image: the sum of squared distances in OKLab at 6×4 points.
struct CSSIntegerObjective {
  private static let (width, height) = (6, 4)
  private static let groups = 0..<6

  /// The opacity of the gradient of each cell at each point, a plane for each cell.
  private static let opacities = PlaneStore(planeCount: 6, groupCount: groups.count) { planes in
    for (cell, gradient) in CSSInteger.gradients.enumerated() {
      for point in 0..<width * height {
        planes[cell][point / 4][point % 4] = gradient.opacity(
          x: (Float(point % width) + 0.5) / Float(width),
          y: (Float(point / width) + 0.5) / Float(height))
      }
    }
  }

  private let image: PlaneStore

  private let cellLightness: [Float]

  /// Whether no point has a visible tint.
  let isNeutral: Bool

  init(_ grid: PixelGrid) {
    let points = grid.points(width: Self.width, height: Self.height)
    image = PlaneStore(planeCount: 3, groupCount: Self.groups.count) { planes in
      let colors = planes.color(0)
      for group in Self.groups {
        let first = 4 * group
        colors.set(
          group, to: (points[first], points[first + 1], points[first + 2], points[first + 3]))
      }
      colors.convertToOklab(over: Self.groups)
    }
    isNeutral = image.with { image in
      let (a, b) = (image[1], image[2])
      return Self.groups.allSatisfy { (a[$0] * a[$0] + b[$0] * b[$0]).max() < 0.0004 }
    }
    cellLightness = grid.points(width: 3, height: 2).map { Oklab(linear: $0.xyz).components.x }
  }

  /// The fields of an integer, with the distance of its preview from the image.
  struct Preview {
    let fields: [Int]
    let distance: Float
  }

  /// Returns the preview over a base color, given by its fields, with the level nearest to each cell's lightness.
  ///
  /// Source of the formula: Lean Rada's script.
  func start(lightness: Int, _ a: Int, _ b: Int) -> Preview {
    var fields = [0, 0, 0, 0, 0, 0, lightness, a, b]
    let baseLightness = CSSInteger.baseColor(fields).components.x
    for (cell, lightness) in cellLightness.enumerated() {
      fields[cell] = Int(max(0, min(1, 0.5 + lightness - baseLightness)) * 3 + 0.5)
    }
    return preview(fields)
  }

  /// Returns the preview reached by changing one field at a time until no such change reduces the distance.
  ///
  /// The axes of the base color of a neutral image stay gray.
  func descended(from start: Preview) -> Preview {
    let fieldCount = isNeutral ? 7 : 9
    var best = start
    var (field, unchangedCount) = (0, 0)
    while unchangedCount < fieldCount {
      unchangedCount += 1
      for step in [-1, 1] where 0...CSSInteger.largest[field] ~= best.fields[field] + step {
        var fields = best.fields
        fields[field] += step
        let other = preview(fields)
        if other.distance < best.distance { (best, unchangedCount) = (other, 0) }
      }
      field = (field + 1) % fieldCount
    }
    return best
  }

  /// Renders the preview of an integer, and measures its distance from the image.
  func preview(_ fields: [Int]) -> Preview {
    let base = CSSInteger.encodedBaseColor(fields)
    let distance = Planes.withScratch(count: 3, groupCount: Self.groups.count) { scratch in
      let preview = scratch.color(0)
      preview.x.set(over: Self.groups) { _ in Parts(repeating: base.x) }
      preview.y.set(over: Self.groups) { _ in Parts(repeating: base.y) }
      preview.z.set(over: Self.groups) { _ in Parts(repeating: base.z) }
      Self.opacities.with { opacities in
        for cell in (0..<6).reversed() {
          let (gray, share) = CSSInteger.shade(level: fields[cell])
          preview.set(from: preview, over: Self.groups) { below, group in
            below + opacities[cell][group] * share * (gray - below)
          }
        }
      }
      preview.set(from: preview, over: Self.groups) { FastOklab.light(ofEncoded: $0) }
      preview.convertToOklab(over: Self.groups)
      return image.with { image in
        let colors = image.color(0)
        return Self.groups.reduce(Float(0)) {
          $0 + preview.squaredDistance(from: colors, $1).sum()
        }
      }
    }
    return Preview(fields: fields, distance: distance)
  }
}
