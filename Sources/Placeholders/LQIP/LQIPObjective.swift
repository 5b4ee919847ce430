/// The objective of a fit of three colors: the distance between a placeholder and an image.
struct LQIPObjective: Sendable {
  private let image: ScaledImage

  /// The planes of the sum of the weighted base colors in encoded sRGB, and of the weights of the three fitted colors.
  private let layers: PlaneStore
  private let figure: (figure: Figure, contrast: Float)?
  private let finestWeight: Float

  /// Prepares a fit of three colors over fixed base colors; `finestWeight` is the weight of the finest scale.
  init(
    image: ScaledImage, weights: PlaneStore, base: [SIMD3<Float>], finestWeight: Float = 1
  ) {
    self.image = image
    self.finestWeight = finestWeight
    layers = PlaneStore(planeCount: 6) { planes in
      let sum = planes.color(0)
      weights.with { weights in
        for (index, color) in base.enumerated() {
          sum.add(weights[index], times: color)
        }
        for color in 0..<3 {
          let plane = weights[base.count + color]
          planes[3 + color].set { plane[$0] }
        }
      }
    }
    figure = image.figure.map { ($0, $0.wantedContrast(weights)) }
  }

  /// Returns the distance between the image and the placeholder with the given encoded channels, 0...1.
  func distance(_ channels: PackedFields) -> ScaledDistance {
    image.planes.with { planes in
      layers.with { layers in
        Planes.withScratch(count: 6) { scratch in
          let (light, roots) = (scratch.color(0), scratch.color(3))
          Self.setEncoded(light, of: channels, layers, over: ScaleLayout.fine)
          light.set(from: light, over: ScaleLayout.fine) { FastOklab.light(ofEncoded: $0) }
          return ScaledImage.View(planes).distance(
            ofLight: light, roots: roots, figure: figure, finestWeight: finestWeight)
        }
      }
    }
  }

  /// Returns a quadratic model of the distance around the given channels, whose minimum is the next Gauss-Newton step.
  ///
  /// `distance` is the distance at or near these channels.
  func model(
    at channels: PackedFields, distance: ScaledDistance, over groups: Range<Int> = ScaleLayout.all
  ) -> FieldModel {
    image.planes.with { planes in
      layers.with { layers in
        Planes.withScratch(count: FieldModel.planeCount + 6) { scratch in
          let light = scratch.color(FieldModel.planeCount)
          let rate = scratch.color(FieldModel.planeCount + 3)
          Self.setEncoded(light, of: channels, layers, over: groups)
          rate.set(from: light, over: groups) { FastOklab.lightRate(ofEncoded: $0) }
          light.set(from: light, over: groups) { FastOklab.light(ofEncoded: $0) }
          return FieldModel(
            origin: channels, ScaledImage.View(planes), weights: layers.color(3), light: light,
            rate: rate, distance: distance, over: groups, scratch: scratch)
        }
      }
    }
  }

  @inline(__always)
  private static func setEncoded(
    _ encoded: MutableColorPlanes, of channels: PackedFields, _ layers: Planes<ReadOnly>,
    over groups: Range<Int>
  ) {
    let (base, weights) = (layers.color(0), layers.color(3))
    @inline(__always)
    func set(_ plane: MutablePlane, _ base: Plane<ReadOnly>, _ channel: Int) {
      let (first, second) = (channels[channel], channels[3 + channel])
      let third = channels[6 + channel]
      plane.set(over: groups) { group in
        let sum = base[group] + weights.x[group] * first
        return sum + weights.y[group] * second + weights.z[group] * third
      }
    }
    set(encoded.x, base.x, 0)
    set(encoded.y, base.y, 1)
    set(encoded.z, base.z, 2)
  }
}
