/// A number for each of four parts of an image, computed in parallel.
typealias Parts = SIMD4<Float>

/// Marks planes that are shared and only read.
enum ReadOnly {}

/// Marks planes that are being computed.
enum Mutable {}

typealias MutablePlane = Plane<Mutable>
typealias MutablePlanes = Planes<Mutable>
typealias MutableColorPlanes = ColorPlanes<Mutable>

/// A number for each part of an image, in groups of four.
///
/// Operations on planes are short loops, because the standard library's SIMD operators are compiled lane by lane and
/// the compiler vectorizes only short loops.
@safe struct Plane<Access> {
  fileprivate let start: UnsafeMutablePointer<Parts>
  fileprivate let groupCount: Int

  /// The numbers for a group of parts.
  @inline(__always)
  subscript(group: Int) -> Parts {
    assert((0..<groupCount).contains(group))
    return unsafe start[group]
  }

  /// The number for a single part, selected by its index over all groups.
  @inline(__always)
  subscript(part part: Int) -> Float {
    assert((0..<groupCount * 4).contains(part))
    return unsafe UnsafeRawPointer(start).load(fromByteOffset: part &* 4, as: Float.self)
  }

  /// Returns the dot product with another plane over a range of groups.
  @inline(__always)
  func dot<Other>(_ other: Plane<Other>, over groups: Range<Int>) -> Float {
    var sum = Parts.zero
    for group in groups { sum += self[group] * other[group] }
    return sum.sum()
  }
}

extension Plane<Mutable> {
  /// The numbers for a group of parts.
  @inline(__always)
  subscript(group: Int) -> Parts {
    get {
      assert((0..<groupCount).contains(group))
      return unsafe start[group]
    }
    nonmutating set {
      assert((0..<groupCount).contains(group))
      unsafe start[group] = newValue
    }
  }

  /// Sets each group in a range to the result of `value`.
  @inline(__always)
  func set(over groups: Range<Int> = ScaleLayout.all, _ value: (_ group: Int) -> Parts) {
    for group in groups { self[group] = value(group) }
  }
}

/// Consecutive planes, valid only during the call that receives them.
@safe struct Planes<Access> {
  fileprivate let start: UnsafeMutablePointer<Parts>
  let count: Int
  fileprivate let groupCount: Int

  @inline(__always)
  subscript(index: Int) -> Plane<Access> {
    precondition((0..<count).contains(index), "plane index out of range")
    return unsafe Plane(start: start + index * groupCount, groupCount: groupCount)
  }

  /// Returns three consecutive planes, starting at index `first`, as the components of a color.
  @inline(__always)
  func color(_ first: Int) -> ColorPlanes<Access> {
    ColorPlanes(x: self[first], y: self[first + 1], z: self[first + 2])
  }
}

extension Planes<Mutable> {
  /// Calls `body` with uninitialized planes.
  @inline(__always)
  static func withScratch<Result>(
    count: Int, groupCount: Int = ScaleLayout.all.count, _ body: (Planes) -> Result
  ) -> Result {
    // `withUnsafeTemporaryAllocation` is slower: the runtime looks up a conformance.
    let start = UnsafeMutablePointer<Parts>.allocate(capacity: count * groupCount)
    defer { unsafe start.deallocate() }
    return body(unsafe Planes(start: start, count: count, groupCount: groupCount))
  }
}

/// Planes that are computed once, and then shared read-only.
struct PlaneStore: Sendable {
  private var groups: [Parts]
  private let groupCount: Int

  /// Creates planes of zeros, and calls `fill` to set them.
  init(
    planeCount: Int, groupCount: Int = ScaleLayout.all.count, _ fill: (MutablePlanes) -> Void
  ) {
    self.groupCount = groupCount
    groups = Array(repeating: .zero, count: planeCount * groupCount)
    unsafe groups.withUnsafeMutableBufferPointer { groups in
      guard let start = groups.baseAddress else { return }
      fill(unsafe Planes(start: start, count: planeCount, groupCount: groupCount))
    }
  }

  @inline(__always)
  func with<Result>(_ body: (_ planes: Planes<ReadOnly>) -> Result) -> Result {
    unsafe groups.withUnsafeBufferPointer { groups in
      guard let start = groups.baseAddress else { preconditionFailure("no planes") }
      // `Planes<ReadOnly>` has no operation that writes.
      return body(
        unsafe Planes(
          start: UnsafeMutablePointer(mutating: start), count: groups.count / groupCount,
          groupCount: groupCount))
    }
  }
}

/// A color for each part of an image: red, green and blue, or the components of another color space.
struct ColorPlanes<Access> {
  let x: Plane<Access>
  let y: Plane<Access>
  let z: Plane<Access>

  subscript(group: Int, lane: Int) -> SIMD3<Float> {
    SIMD3(x[group][lane], y[group][lane], z[group][lane])
  }

  /// Returns the dot product of each color in a group and the corresponding color of other planes.
  @inline(__always)
  func dot<Other>(_ other: ColorPlanes<Other>, _ group: Int) -> Parts {
    x[group] * other.x[group] + y[group] * other.y[group] + z[group] * other.z[group]
  }

  /// Returns the squared distance between each color in a group and the corresponding color of other planes.
  @inline(__always)
  func squaredDistance<Other>(from other: ColorPlanes<Other>, _ group: Int) -> Parts {
    let (x, y, z) = (
      x[group] - other.x[group], y[group] - other.y[group], z[group] - other.z[group]
    )
    return x * x + y * y + z * z
  }

  /// Returns the squared distance between each color in a group and a given color.
  @inline(__always)
  func squaredDistance(from color: SIMD3<Float>, _ group: Int) -> Parts {
    let (x, y, z) = (x[group] - color.x, y[group] - color.y, z[group] - color.z)
    return x * x + y * y + z * z
  }
}

extension ColorPlanes<Mutable> {
  @inline(__always)
  func set(_ group: Int, to colors: (Parts, Parts, Parts, Parts)) {
    x[group] = Parts(colors.0.x, colors.1.x, colors.2.x, colors.3.x)
    y[group] = Parts(colors.0.y, colors.1.y, colors.2.y, colors.3.y)
    z[group] = Parts(colors.0.z, colors.1.z, colors.2.z, colors.3.z)
  }

  /// Sets a group to the points of a group of finest parts; the points are row-major.
  @inline(__always)
  func set(_ group: Int, to points: [SIMD4<Float>], finestGroup: Int) {
    let indices = ScaleLayout.points
    let first = 4 * finestGroup
    set(
      group,
      to: (
        points[indices[first]], points[indices[first + 1]], points[indices[first + 2]],
        points[indices[first + 3]]
      ))
  }

  /// Sets the parts of each coarser scale to the means of the fine parts, or of the finest parts if included.
  @inline(__always)
  func average(includingFinest: Bool = false) {
    ScaleLayout.average(x, includingFinest: includingFinest)
    ScaleLayout.average(y, includingFinest: includingFinest)
    ScaleLayout.average(z, includingFinest: includingFinest)
  }

  /// Sets the components of each group of colors to the results of `value` for those of other colors.
  @inline(__always)
  func set<Other>(
    from other: ColorPlanes<Other>, over groups: Range<Int> = ScaleLayout.all,
    _ value: (_ component: Parts, _ group: Int) -> Parts
  ) {
    x.set(over: groups) { value(other.x[$0], $0) }
    y.set(over: groups) { value(other.y[$0], $0) }
    z.set(over: groups) { value(other.z[$0], $0) }
  }

  @inline(__always)
  func set<Other>(
    from other: ColorPlanes<Other>, over groups: Range<Int> = ScaleLayout.all,
    _ value: (_ component: Parts) -> Parts
  ) {
    set(from: other, over: groups) { component, _ in value(component) }
  }

  /// Sets the components of each group of colors to the results of `value` for those of two other colors.
  @inline(__always)
  func set<Left, Right>(
    from left: ColorPlanes<Left>, _ right: ColorPlanes<Right>,
    over groups: Range<Int> = ScaleLayout.all,
    _ value: (_ left: Parts, _ right: Parts) -> Parts
  ) {
    x.set(over: groups) { value(left.x[$0], right.x[$0]) }
    y.set(over: groups) { value(left.y[$0], right.y[$0]) }
    z.set(over: groups) { value(left.z[$0], right.z[$0]) }
  }

  /// Adds one color, multiplied by the weight of each part.
  @inline(__always)
  func add<Other>(_ weights: Plane<Other>, times color: SIMD3<Float>) {
    x.set { x[$0] + weights[$0] * color.x }
    y.set { y[$0] + weights[$0] * color.y }
    z.set { z[$0] + weights[$0] * color.z }
  }

  /// Sets the colors to the products of a matrix and the colors of other planes.
  @inline(__always)
  func set<Other>(
    mixing other: ColorPlanes<Other>, by matrix: Oklab.Columns,
    over groups: Range<Int> = ScaleLayout.all
  ) {
    let rows = Oklab.transposed(matrix)
    @inline(__always)
    func mix(_ plane: MutablePlane, _ row: SIMD3<Float>) {
      plane.set(over: groups) { other.x[$0] * row.x + other.y[$0] * row.y + other.z[$0] * row.z }
    }
    mix(x, rows.0)
    mix(y, rows.1)
    mix(z, rows.2)
  }

  /// Sets the colors to the cube roots of the cone responses to nonnegative linear light.
  @inline(__always)
  func set<Other>(
    coneRootsOf light: ColorPlanes<Other>, over groups: Range<Int> = ScaleLayout.all
  ) {
    set(mixing: light, by: Oklab.conesOfLight, over: groups)
    set(from: self, over: groups) { FastOklab.cubeRoots($0) }
  }

  /// Replaces nonnegative linear light with OKLab components.
  func convertToOklab(over groups: Range<Int>) {
    Planes.withScratch(count: 3, groupCount: x.groupCount) { scratch in
      let roots = scratch.color(0)
      roots.set(coneRootsOf: self, over: groups)
      set(mixing: roots, by: Oklab.componentsOfRoots, over: groups)
    }
  }
}
