/// Finds a figure on a plain ground: a logo, a sun, a face on black.
///
/// Of such an image the eye keeps the figure, however small. A mean over all parts is least where the figure
/// is given up.
enum FigureGround {
  /// Lets the parts of a figure count more, if the image is one on a plain ground.
  ///
  /// - Parameter image: The image, whose parts count by their size.
  static func weigh(_ image: ScaledImage.View) {
    guard let ground = ground(image.colors) else { return }
    // How much the figure counts beside the whole.
    let importance: Float = 2
    for scale in [ScaleLayout.fine, ScaleLayout.medium, ScaleLayout.coarse] {
      // A part counts by how far it is from the ground, besides by its size.
      var (mean, sum) = (Float(0), Float(0))
      for group in scale {
        mean += (distance(image.colors, group, ground) * image.shares[group]).sum()
      }
      for group in scale {
        let figure = distance(image.colors, group, ground) * (importance / max(mean, 0.0001)) + 1
        image.shares[group] *= figure
        sum += image.shares[group].sum()
      }
      for group in scale { image.shares[group] /= Parts(repeating: sum) }
    }
  }

  /// The color that about half of the medium parts have, or more, if others are far from it.
  private static func ground(_ colors: ColorPlanes) -> SIMD3<Float>? {
    let nearby = Parts(repeating: 0.03)
    var best: (count: Float, color: SIMD3<Float>) = (0, .zero)
    for group in ScaleLayout.medium {
      for lane in 0..<4 {
        let color = colors[group, lane]
        var count = Parts.zero
        for other in ScaleLayout.medium {
          let distance = distance(colors, other, color)
          count += Parts.one.replacing(with: Parts.zero, where: distance .> nearby)
        }
        if count.sum() > best.count { best = (count.sum(), color) }
      }
    }
    return best.count >= 18 && best.count < 36 ? best.color : nil
  }

  @inline(__always)
  private static func distance(
    _ colors: ColorPlanes, _ group: Int, _ color: SIMD3<Float>
  ) -> Parts {
    let x = colors.x[group] - color.x
    let y = colors.y[group] - color.y
    let z = colors.z[group] - color.z
    return (x * x + y * y + z * z).squareRoot()
  }
}
