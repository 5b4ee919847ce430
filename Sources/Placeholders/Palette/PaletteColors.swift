/// Colors in OKLab, each component in memory of its own.
struct PaletteColors {
  /// The first component of all colors, four by four, then the second and the third.
  private let components: [Parts]

  /// Converts linear colors; what is below zero becomes zero.
  ///
  /// - Precondition: Their number is a multiple of four.
  init(linear colors: [SIMD4<Float>]) {
    precondition(colors.count.isMultiple(of: 4), "they are taken by four")
    let count = colors.count / 4
    components = unsafe Array(unsafeUninitializedCapacity: 3 * count) {
      components, initializedCount in
      initializedCount = 3 * count
      @inline(__always)
      func set(_ group: Int, _ x: Parts, _ y: Parts, _ z: Parts) {
        unsafe components[group] = x
        unsafe components[count + group] = y
        unsafe components[2 * count + group] = z
      }
      @inline(__always)
      func mix(by rows: Oklab.Rows) {
        for group in 0..<count {
          let x = unsafe components[group]
          let y = unsafe components[count + group]
          let z = unsafe components[2 * count + group]
          set(
            group, x * rows.0.x + y * rows.0.y + z * rows.0.z,
            x * rows.1.x + y * rows.1.y + z * rows.1.z,
            x * rows.2.x + y * rows.2.y + z * rows.2.z)
        }
      }
      for group in 0..<count {
        let (one, two) = (colors[4 * group], colors[4 * group + 1])
        let (three, four) = (colors[4 * group + 2], colors[4 * group + 3])
        set(
          group, Parts(one.x, two.x, three.x, four.x), Parts(one.y, two.y, three.y, four.y),
          Parts(one.z, two.z, three.z, four.z))
      }
      mix(by: Oklab.conesOfLight)
      for index in 0..<3 * count {
        let cones = unsafe components[index]
        unsafe components[index] = FastOklab.cubeRoots(
          cones.replacing(with: Parts.zero, where: cones .< Parts.zero))
      }
      mix(by: Oklab.componentsOfRoots)
    }
  }

  /// Calls with the first number of each component, behind which are those of the other colors.
  @inline(__always)
  func withComponents<Result>(
    _ body: (
      _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ z: UnsafePointer<Float>
    ) -> Result
  ) -> Result {
    unsafe components.withUnsafeBytes { bytes in
      let numbers = unsafe bytes.assumingMemoryBound(to: Float.self)
      let count = numbers.count / 3
      guard let x = numbers.baseAddress else { preconditionFailure("there are colors") }
      return unsafe body(x, x + count, x + 2 * count)
    }
  }
}
