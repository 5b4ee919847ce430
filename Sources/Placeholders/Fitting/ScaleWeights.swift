/// How much of each color is painted on each part of an image, at three scales.
struct ScaleWeights: Sendable {
  /// A plane for each color.
  let planes: PlaneStore

  /// How many colors there are.
  let count: Int

  /// Averages weights over parts.
  ///
  /// - Parameters:
  ///   - count: How many colors there are.
  ///   - weight: The weight of a color on a fine part, whose number is row-major.
  init(count: Int, weight: (_ color: Int, _ finePart: Int) -> Float) {
    self.count = count
    planes = PlaneStore(planeCount: count) { planes in
      for color in 0..<count {
        for group in ScaleLayout.fine {
          for lane in 0..<4 {
            guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
            planes[color][group][lane] = weight(color, part.row * ScaleLayout.side + part.column)
          }
        }
        ScaleLayout.average(planes[color])
      }
    }
  }
}
