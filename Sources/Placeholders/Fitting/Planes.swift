/// Some planes, one behind the other, which are valid as long as the call that they are given to.
@safe struct Planes {
  private let start: UnsafeMutablePointer<Parts>

  /// How many they are.
  let count: Int

  /// Takes the first group of the first plane.
  init(start: UnsafeMutablePointer<Parts>, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// Calls with planes of no known content.
  @inline(__always)
  static func withScratch<Result>(count: Int, _ body: (Planes) -> Result) -> Result {
    // A temporary allocation has the runtime look for a conformance, which takes longer than this does.
    let start = UnsafeMutablePointer<Parts>.allocate(capacity: count * ScaleLayout.all.count)
    defer { unsafe start.deallocate() }
    return body(unsafe Planes(start: start, count: count))
  }

  /// A plane.
  @inline(__always)
  subscript(index: Int) -> Plane {
    precondition((0..<count).contains(index), "there is such a plane")
    return unsafe Plane(start: start + index * ScaleLayout.all.count)
  }

  /// The planes behind the first ones.
  @inline(__always)
  func dropping(_ droppedCount: Int) -> Planes {
    precondition(droppedCount <= count, "there are so many planes")
    return unsafe Planes(
      start: start + droppedCount * ScaleLayout.all.count, count: count - droppedCount)
  }

  /// Three planes from one on.
  @inline(__always)
  func color(_ first: Int) -> ColorPlanes {
    ColorPlanes(x: self[first], y: self[first + 1], z: self[first + 2])
  }
}
