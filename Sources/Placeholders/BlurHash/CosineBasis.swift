/// The cosines of one axis: a row of positions for each component.
struct CosineBasis {
  /// Component-major: `values[component][position]`.
  let values: [[Float]]

  /// Cosines at single pixels, rounded to single precision where the reference rounds.
  init(componentCount: Int, length: Int) {
    self.init(componentCount: componentCount, extents: (0..<length).map { $0..<$0 + 1 })
  }

  /// Cosines summed over the pixels that a cell covers.
  ///
  /// A hash of cells is then that of the pixels: `Σ cos(θx)` over n pixels from a on is
  /// `sin(nθ/2) / sin(θ/2) · cos(θ(a + (n-1)/2))`, which is Lagrange's identity.
  ///
  /// - Parameters:
  ///   - componentCount: How many cosines, from the constant one on.
  ///   - extents: Each cell's pixels, without a gap, from 0 on.
  init(componentCount: Int, extents: [Range<Int>]) {
    let length = Double(extents.last?.upperBound ?? 0)
    values = (0..<componentCount).map { component in
      extents.map { extent in
        let frequency = Double.pi * Double(component)
        let first = Double(extent.lowerBound)
        let count = Double(extent.count)
        if extent.count == 1 {
          return Float(Math.cosine(Double(Float(frequency * first / length))))
        }
        if component == 0 { return Float(count) }
        let step = frequency / length
        return Float(
          Math.sine(count * step / 2) / Math.sine(step / 2)
            * Math.cosine(step * (first + (count - 1) / 2)))
      }
    }
  }
}
