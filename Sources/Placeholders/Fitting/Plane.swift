/// A number for each part of an image, at all scales of ``ScaleLayout``, in memory of a ``PlaneStore``.
///
/// Work on planes is written as short loops: the standard library's SIMD operators are compiled lane by
/// lane, and the compiler vectorizes only short loops.
@safe struct Plane {
  private let start: UnsafeMutablePointer<Parts>

  /// Takes the first group, behind which are the others.
  init(start: UnsafeMutablePointer<Parts>) {
    unsafe self.start = start
  }

  /// A group of parts.
  @inline(__always)
  subscript(group: Int) -> Parts {
    get {
      assert(ScaleLayout.all.contains(group))
      return unsafe start[group]
    }
    nonmutating set {
      assert(ScaleLayout.all.contains(group))
      unsafe start[group] = newValue
    }
  }

  /// Computes each of some groups.
  @inline(__always)
  func set(over groups: Range<Int> = ScaleLayout.all, _ value: (_ group: Int) -> Parts) {
    for group in groups { self[group] = value(group) }
  }

  /// The sum of the products.
  @inline(__always)
  func dot(_ other: Plane, over groups: Range<Int>) -> Float {
    var sum = Parts.zero
    for group in groups { sum += self[group] * other[group] }
    return sum.sum()
  }
}
