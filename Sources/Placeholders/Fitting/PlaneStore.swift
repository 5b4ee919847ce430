/// Planes that are kept, one behind the other.
struct PlaneStore: Sendable {
  private var groups: [Parts]

  /// Makes as many planes, and lets a closure fill them.
  init(planeCount: Int, _ fill: (Planes) -> Void) {
    groups = Array(repeating: .zero, count: planeCount * ScaleLayout.all.count)
    unsafe groups.withUnsafeMutableBufferPointer { groups in
      if let start = groups.baseAddress { fill(unsafe Planes(start: start, count: planeCount)) }
    }
  }

  /// Adds the planes of another.
  mutating func append(_ other: PlaneStore) {
    groups += other.groups
  }

  /// Calls with these planes, which are only to be read.
  @inline(__always)
  func with<Result>(_ body: (_ planes: Planes) -> Result) -> Result {
    unsafe groups.withUnsafeBufferPointer { groups in
      guard let start = groups.baseAddress else { preconditionFailure("there are planes") }
      return body(
        unsafe Planes(
          start: UnsafeMutablePointer(mutating: start),
          count: groups.count / ScaleLayout.all.count))
    }
  }
}
