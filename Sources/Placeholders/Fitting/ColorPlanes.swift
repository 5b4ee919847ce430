/// A color for each part of an image: red, green and blue, or the three components of another space.
struct ColorPlanes {
  let x: Plane
  let y: Plane
  let z: Plane

  /// The color of one part.
  subscript(group: Int, lane: Int) -> SIMD3<Float> {
    SIMD3(x[group][lane], y[group][lane], z[group][lane])
  }

  /// Fills in the medium and coarse parts with the means of the fine ones.
  @inline(__always)
  func average() {
    ScaleLayout.average(x)
    ScaleLayout.average(y)
    ScaleLayout.average(z)
  }

  /// Adds others times a factor.
  @inline(__always)
  func add(_ other: ColorPlanes, times factor: Float) {
    x.set { x[$0] + other.x[$0] * factor }
    y.set { y[$0] + other.y[$0] * factor }
    z.set { z[$0] + other.z[$0] * factor }
  }

  /// Adds a color on each part, by its weight there.
  @inline(__always)
  func add(_ weights: Plane, times color: SIMD3<Float>) {
    x.set { x[$0] + weights[$0] * color.x }
    y.set { y[$0] + weights[$0] * color.y }
    z.set { z[$0] + weights[$0] * color.z }
  }

  /// Sets these to mixes of others by three rows of coefficients.
  @inline(__always)
  func set(
    mixing other: ColorPlanes, by rows: Oklab.Rows, over groups: Range<Int> = ScaleLayout.all
  ) {
    @inline(__always)
    func mix(_ plane: Plane, _ row: SIMD3<Float>) {
      plane.set(over: groups) { other.x[$0] * row.x + other.y[$0] * row.y + other.z[$0] * row.z }
    }
    mix(x, rows.0)
    mix(y, rows.1)
    mix(z, rows.2)
  }

  /// Sets these to the cube roots of what the cones see of linear light that is not negative.
  @inline(__always)
  func set(coneRootsOf light: ColorPlanes, over groups: Range<Int> = ScaleLayout.all) {
    set(mixing: light, by: Oklab.conesOfLight, over: groups)
    x.set(over: groups) { FastOklab.cubeRoots(x[$0]) }
    y.set(over: groups) { FastOklab.cubeRoots(y[$0]) }
    z.set(over: groups) { FastOklab.cubeRoots(z[$0]) }
  }

  /// Sets these to the products of others with a plane for each component.
  @inline(__always)
  func set(_ left: ColorPlanes, times right: Plane, over groups: Range<Int>) {
    x.set(over: groups) { left.x[$0] * right[$0] }
    y.set(over: groups) { left.y[$0] * right[$0] }
    z.set(over: groups) { left.z[$0] * right[$0] }
  }

  /// Subtracts others, into these.
  @inline(__always)
  func set(_ left: ColorPlanes, minus right: ColorPlanes, over groups: Range<Int>) {
    x.set(over: groups) { left.x[$0] - right.x[$0] }
    y.set(over: groups) { left.y[$0] - right.y[$0] }
    z.set(over: groups) { left.z[$0] - right.z[$0] }
  }

  /// The sums of the products of a group's components.
  @inline(__always)
  func dot(_ other: ColorPlanes, _ group: Int) -> Parts {
    x[group] * other.x[group] + y[group] * other.y[group] + z[group] * other.z[group]
  }
}
