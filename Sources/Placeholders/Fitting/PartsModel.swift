/// The Gauss-Newton approximation of the distance between a picture and an image, as a function of the red, green and
/// blue of each part.
struct PartsModel {
  /// The groups of parts in the model.
  let groups: Range<Int>

  /// The first derivatives with respect to red, green and blue.
  let slope: MutableColorPlanes

  /// The second derivatives: red-red, red-green, red-blue, green-green, green-blue, blue-blue.
  let curvature:
    (MutablePlane, MutablePlane, MutablePlane, MutablePlane, MutablePlane, MutablePlane)

  /// The number of planes of scratch memory.
  static let planeCount = 29

  /// Approximates the distance around a picture.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - light: The light of the picture on all parts.
  ///   - rate: The derivative of the light of each part with respect to its encoded channels.
  ///   - distance: The distance of the picture, or of a similar one, from the image.
  ///   - minimumSquare: The lower bound for squared cone roots. The derivative of a cube root is unbounded at zero,
  ///     which would make the steps of the fit too small.
  ///   - groups: The groups of parts in the model.
  ///   - scratch: ``planeCount`` planes. The model refers to some of them, so it is valid only as long as they are.
  @inline(__always)
  init(
    _ image: ScaledImage.View<ReadOnly>, light: MutableColorPlanes, rate: MutableColorPlanes,
    distance: ScaledDistance,
    minimumSquare: Float, over groups: Range<Int>, scratch: MutablePlanes
  ) {
    self.groups = groups
    let roots = scratch.color(0)
    let difference = scratch.color(3)
    let pointDifference = scratch.color(6)
    roots.set(coneRootsOf: light, over: groups)
    difference.set(mixing: roots, by: Oklab.componentsOfRoots, over: groups)
    pointDifference.set(difference, minus: image.pointColors, over: groups)
    difference.set(difference, minus: image.colors, over: groups)
    let (importance, pointImportance) = (scratch[9], scratch[10])
    Self.setImportances(
      image, difference, pointDifference, distance, groups, importance, pointImportance)
    // Replaces the difference with the derivative of the distance with respect to each component.
    for (own, other) in [
      (difference.x, pointDifference.x), (difference.y, pointDifference.y),
      (difference.z, pointDifference.z),
    ] {
      own.set(over: groups) { own[$0] * importance[$0] + other[$0] * pointImportance[$0] }
    }
    importance.set(over: groups) { importance[$0] + pointImportance[$0] }
    // The derivatives of the cone roots with respect to the cone responses.
    for root in [roots.x, roots.y, roots.z] {
      root.set(over: groups) { group in
        let square = root[group] * root[group]
        let least = Parts(repeating: minimumSquare)
        return Parts(repeating: 1 / 3) / square.replacing(with: least, where: square .< least)
      }
    }
    let (red, green, blue) = (scratch.color(11), scratch.color(14), scratch.color(17))
    let changes = pointDifference
    for (derivative, cones, rate) in [
      (red, Oklab.conesOfRed, rate.x), (green, Oklab.conesOfGreen, rate.y),
      (blue, Oklab.conesOfBlue, rate.z),
    ] {
      let rows = Oklab.componentsOfRoots
      changes.set(mixing: roots, by: (rows.0 * cones, rows.1 * cones, rows.2 * cones), over: groups)
      derivative.set(changes, times: rate, over: groups)
    }
    let slope = scratch.color(20)
    slope.x.set(over: groups) { red.dot(difference, $0) }
    slope.y.set(over: groups) { green.dot(difference, $0) }
    slope.z.set(over: groups) { blue.dot(difference, $0) }
    self.slope = slope
    curvature = (scratch[23], scratch[24], scratch[25], scratch[26], scratch[27], scratch[28])
    curvature.0.set(over: groups) { red.dot(red, $0) * importance[$0] }
    curvature.1.set(over: groups) { red.dot(green, $0) * importance[$0] }
    curvature.2.set(over: groups) { red.dot(blue, $0) * importance[$0] }
    curvature.3.set(over: groups) { green.dot(green, $0) * importance[$0] }
    curvature.4.set(over: groups) { green.dot(blue, $0) * importance[$0] }
    curvature.5.set(over: groups) { blue.dot(blue, $0) * importance[$0] }
  }

  /// Sets the weight of each part in the model of the sum of eight distances.
  ///
  /// For each scale, the mean distance contributes the inverse of the part's distance, and the root mean square
  /// contributes its own inverse.
  @inline(__always)
  private static func setImportances(
    _ image: ScaledImage.View<ReadOnly>, _ difference: MutableColorPlanes,
    _ pointDifference: MutableColorPlanes,
    _ distance: ScaledDistance, _ groups: Range<Int>, _ importance: MutablePlane,
    _ pointImportance: MutablePlane
  ) {
    // Bounds the curvature near zero, where a distance is not differentiable.
    let least: Float = 0.02
    @inline(__always)
    func value(_ square: Parts, _ root: Float, _ group: Int) -> Parts {
      let bound = Parts(repeating: least * least)
      let bounded = square.replacing(with: bound, where: square .< bound)
      return (1 / FastOklab.squareRoots(bounded) + 1 / max(root, least)) * image.shares[group]
    }
    for (scale, root) in [
      (ScaleLayout.fine, distance.roots[1]), (ScaleLayout.medium, distance.roots[2]),
      (ScaleLayout.coarse, distance.roots[3]),
    ] {
      for group in scale.clamped(to: groups) {
        importance[group] = value(difference.dot(difference, group), root, group)
      }
    }
    pointImportance.set(over: groups) { _ in .zero }
    for group in ScaleLayout.fine.clamped(to: groups) {
      let square = pointDifference.dot(pointDifference, group) + image.variances[group]
      pointImportance[group] =
        distance.finestWeight * value(square, distance.roots[0], group)
    }
  }
}
