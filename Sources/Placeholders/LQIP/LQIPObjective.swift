/// The objective of a fit of three colors: the distance between a placeholder and an image.
struct LQIPObjective: Sendable {
  /// The planes of the image, of the sum of the weighted base colors in encoded sRGB, and of the weights of the three
  /// fitted colors.
  private let planes: PlaneStore
  private let figure: (figure: Figure, contrast: Float)?
  private let finestWeight: Float

  /// Prepares a fit of three colors over fixed base colors; `finestWeight` is the weight of the finest scale.
  init(
    image: ScaledImage, weights: ScaleWeights, base: [SIMD3<Float>], finestWeight: Float = 1
  ) {
    self.finestWeight = finestWeight
    var planes = image.planes
    planes.append(
      PlaneStore(planeCount: 6) { planes in
        let sum = planes.color(0)
        weights.planes.with { weights in
          for (index, color) in base.enumerated() {
            sum.add(weights[index], times: color)
          }
          for color in 0..<3 {
            let plane = weights[base.count + color]
            planes[3 + color].set { plane[$0] }
          }
        }
      })
    self.planes = planes
    figure = image.figure.map { ($0, $0.wantedContrast(weights)) }
  }

  /// Returns the distance between the image and the placeholder with the given encoded channels, 0...1.
  func distance(_ channels: PackedFields) -> ScaledDistance {
    planes.with { planes in
      Planes.withScratch(count: 6) { scratch in
        let (light, roots) = (scratch.color(0), scratch.color(3))
        Self.setLight(light, of: channels, planes, over: ScaleLayout.fine)
        return ScaledImage.View(planes).distance(
          ofLight: light, roots: roots, figure: figure, finestWeight: finestWeight)
      }
    }
  }

  /// Returns a quadratic model of the distance around the given channels.
  ///
  /// - Parameters:
  ///   - channels: The origin of the model.
  ///   - distance: The distance at or near the origin.
  ///   - groups: The groups of parts to include.
  /// - Returns: A model whose minimum is the next Gauss-Newton step.
  func model(
    at channels: PackedFields, distance: ScaledDistance, over groups: Range<Int> = ScaleLayout.all
  ) -> FieldModel {
    planes.with { planes in
      Planes.withScratch(count: 6 + PartsModel.planeCount) { scratch in
        let (light, rate) = (scratch.color(0), scratch.color(3))
        Self.setEncoded(light, of: channels, planes, over: groups)
        rate.x.set(over: groups) { FastOklab.lightRate(ofEncoded: light.x[$0]) }
        rate.y.set(over: groups) { FastOklab.lightRate(ofEncoded: light.y[$0]) }
        rate.z.set(over: groups) { FastOklab.lightRate(ofEncoded: light.z[$0]) }
        Self.setLight(light.x, ofEncoded: light.x, over: groups)
        Self.setLight(light.y, ofEncoded: light.y, over: groups)
        Self.setLight(light.z, ofEncoded: light.z, over: groups)
        let model = PartsModel(
          ScaledImage.View(planes), light: light, rate: rate, distance: distance,
          minimumSquare: 0.001, over: groups, scratch: scratch.dropping(6))
        return FieldModel(origin: channels, model, weights: Self.weights(planes))
      }
    }
  }

  private static func weights(_ planes: Planes<ReadOnly>) -> ColorPlanes<ReadOnly> {
    planes.color(ScaledImage.planeCount + 3)
  }

  @inline(__always)
  private static func setEncoded(
    _ encoded: MutableColorPlanes, of channels: PackedFields, _ planes: Planes<ReadOnly>,
    over groups: Range<Int>
  ) {
    let base = planes.color(ScaledImage.planeCount)
    let weights = weights(planes)
    @inline(__always)
    func set(_ plane: MutablePlane, _ base: Plane<ReadOnly>, _ channel: Int) {
      let (first, second) = (channels[channel], channels[3 + channel])
      let third = channels[6 + channel]
      plane.set(over: groups) {
        base[$0] + weights.x[$0] * first + weights.y[$0] * second + weights.z[$0] * third
      }
    }
    set(encoded.x, base.x, 0)
    set(encoded.y, base.y, 1)
    set(encoded.z, base.z, 2)
  }

  @inline(__always)
  private static func setLight(
    _ light: MutableColorPlanes, of channels: PackedFields, _ planes: Planes<ReadOnly>,
    over groups: Range<Int>
  ) {
    setEncoded(light, of: channels, planes, over: groups)
    setLight(light.x, ofEncoded: light.x, over: groups)
    setLight(light.y, ofEncoded: light.y, over: groups)
    setLight(light.z, ofEncoded: light.z, over: groups)
  }

  @inline(__always)
  private static func setLight(
    _ plane: MutablePlane, ofEncoded encoded: MutablePlane, over groups: Range<Int>
  ) {
    plane.set(over: groups) { FastOklab.light(ofEncoded: encoded[$0]) }
  }
}
