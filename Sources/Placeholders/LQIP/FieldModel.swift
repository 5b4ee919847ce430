/// A quadratic model of the distance as a function of the nine fields of a packed value.
///
/// Each step of the fit minimizes the model.
struct FieldModel {
  /// The field values at which the model is expanded; it is accurate only near them.
  let origin: PackedFields

  /// The gradient at ``origin``.
  private let gradient: PackedFields

  /// The rows of the Hessian.
  private let hessian: [PackedFields]

  /// Sums the derivatives over all parts of the image.
  ///
  /// - Parameters:
  ///   - origin: The channels at which the derivatives are taken.
  ///   - parts: The derivatives of the distance with respect to the color of each part.
  ///   - weights: The weight of each of the three colors in each part.
  @inline(__always)
  init(origin: PackedFields, _ parts: PartsModel, weights: ColorPlanes<ReadOnly>) {
    self.origin = origin
    var slope = PackedFields.zero
    var rows = Array(repeating: PackedFields.zero, count: 9)
    @inline(__always)
    func addSlope(_ channel: Int, _ plane: MutablePlane) {
      slope[channel] = plane.dot(weights.x, over: parts.groups)
      slope[3 + channel] = plane.dot(weights.y, over: parts.groups)
      slope[6 + channel] = plane.dot(weights.z, over: parts.groups)
    }
    addSlope(0, parts.slope.x)
    addSlope(1, parts.slope.y)
    addSlope(2, parts.slope.z)
    @inline(__always)
    func add(_ channel: Int, _ other: Int, _ plane: MutablePlane) {
      let sums = Self.sums(of: plane, weights, over: parts.groups)
      @inline(__always)
      func set(_ color: Int, _ otherColor: Int, _ sum: Float) {
        rows[color * 3 + channel][otherColor * 3 + other] = sum
        rows[color * 3 + other][otherColor * 3 + channel] = sum
        rows[otherColor * 3 + channel][color * 3 + other] = sum
        rows[otherColor * 3 + other][color * 3 + channel] = sum
      }
      set(0, 0, sums.0)
      set(0, 1, sums.1)
      set(0, 2, sums.2)
      set(1, 1, sums.3)
      set(1, 2, sums.4)
      set(2, 2, sums.5)
    }
    add(0, 0, parts.curvature.0)
    add(0, 1, parts.curvature.1)
    add(0, 2, parts.curvature.2)
    add(1, 1, parts.curvature.3)
    add(1, 2, parts.curvature.4)
    add(2, 2, parts.curvature.5)
    gradient = slope
    hessian = rows
  }

  /// Returns, for each pair of colors, the sum of a plane's numbers times both weights.
  ///
  /// The pairs are 0-0, 0-1, 0-2, 1-1, 1-2 and 2-2.
  @inline(__always)
  private static func sums(
    of plane: MutablePlane, _ weights: ColorPlanes<ReadOnly>, over groups: Range<Int>
  ) -> (Float, Float, Float, Float, Float, Float) {
    var sums = (Parts.zero, Parts.zero, Parts.zero, Parts.zero, Parts.zero, Parts.zero)
    for group in groups {
      let first = weights.x[group] * plane[group]
      let second = weights.y[group] * plane[group]
      let third = weights.z[group] * plane[group]
      sums.0 += first * weights.x[group]
      sums.1 += first * weights.y[group]
      sums.2 += first * weights.z[group]
      sums.3 += second * weights.y[group]
      sums.4 += second * weights.z[group]
      sums.5 += third * weights.z[group]
    }
    return (sums.0.sum(), sums.1.sum(), sums.2.sum(), sums.3.sum(), sums.4.sum(), sums.5.sum())
  }

  /// Returns the change in the model's value from ``origin`` to other channels.
  func change(to channels: PackedFields) -> Float {
    let step = channels - origin
    var product = PackedFields.zero
    for field in 0..<9 { product += hessian[field] * step[field] }
    return (step * (gradient + 0.5 * product)).sum()
  }

  /// Returns the channels in 0...1 that minimize the model, found by projected Gauss-Seidel sweeps.
  func minimizer() -> PackedFields {
    let sweepCount = 12
    // A slightly higher curvature prevents overshooting.
    let damping: Float = 0.02
    var channels = origin
    var slope = gradient
    for _ in 0..<sweepCount {
      for field in 0..<9 {
        let row = hessian[field]
        let curvature = row[field]
        guard curvature > 0 else { continue }
        let old = channels[field]
        let new = max(0, min(1, old - slope[field] / (curvature * (1 + damping))))
        channels[field] = new
        slope += row * (new - old)
        slope[field] += damping * curvature * (new - old)
      }
    }
    return channels
  }

  /// Returns the model as a function of integer steps from the levels of a packed value.
  func steps(from value: LQIP.PackedColors) -> FieldSteps {
    let step = value.channels - origin
    let stepSizes = LQIP.PackedColors.stepSizes
    var slope = gradient
    for field in 0..<9 { slope += hessian[field] * step[field] }
    return FieldSteps(
      levels: value.levels, slope: slope * stepSizes,
      hessian: (0..<9).map { hessian[$0] * stepSizes * stepSizes[$0] })
  }
}
