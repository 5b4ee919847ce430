import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct ScaledImageTests {
  @Test func `the corners are means of encoded light in the diagonal parts of a 3x3 grid`() {
    let grid = PixelGrid.noise(width: 12, height: 12)
    let corners = ScaledImage(grid).corners
    for (corner, first) in zip(corners, [0, 4, 8]) {
      var sum = SIMD3<Double>.zero
      for row in first..<first + 4 {
        for column in first..<first + 4 {
          let light = grid.light[row * 12 + column].xyz
          for channel in 0..<3 {
            sum[channel] += IEC61966.encoded(ofLinear: Double(light[channel]))
          }
        }
      }
      let difference = SIMD3<Double>(corner) - sum / 16
      // Each of the 16 values is rounded to one of 256 steps.
      #expect(difference.max() < 0.5 / 255 && difference.min() > -0.5 / 255)
    }
  }
}

@Suite struct ScaleLayoutTests {
  @Test(arguments: [(ScaleLayout.fine, 1), (ScaleLayout.medium, 2), (ScaleLayout.coarse, 4)])
  func `the parts of each scale cover the image exactly once`(groups: Range<Int>, size: Int) {
    var covered = Array(repeating: 0, count: 144)
    for group in groups {
      for lane in 0..<4 {
        guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
        #expect(part.size == size)
        for y in 0..<size {
          for x in 0..<size { covered[(part.row + y) * 12 + part.column + x] += 1 }
        }
      }
    }
    #expect(covered.allSatisfy { $0 == 1 })
  }

  @Test func `coarse parts are the means of the fine parts that they cover`() {
    var random = LCG(seed: 3)
    let values = (0..<144).map { _ in Float.random(in: 0...1, using: &random) }
    let store = PlaneStore(planeCount: 1) { planes in
      for group in ScaleLayout.fine {
        for lane in 0..<4 {
          guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
          planes[0][group][lane] = values[part.row * 12 + part.column]
        }
      }
      ScaleLayout.average(planes[0])
    }
    store.with { planes in
      for group in ScaleLayout.all {
        for lane in 0..<4 {
          guard let part = ScaleLayout.part(group: group, lane: lane) else { continue }
          let mean =
            (0..<part.size * part.size).reduce(Float(0)) { sum, index in
              sum
                + values[
                  (part.row + index / part.size) * 12 + part.column + index % part.size]
            } / Float(part.size * part.size)
          #expect(abs(planes[0][group][lane] - mean) < 1e-6)
        }
      }
    }
  }
}

@Suite struct ScaledDistanceTests {
  private static let distance = ScaledDistance(
    means: [0.1, 0.2, 0.3, 0.4], meanSquares: [0.25, 0.36, 0.49, 0.64], figureLoss: 0.5)

  @Test func `the distance is the sum of the means and root mean squares of all scales`() {
    #expect(Self.distance.means == [0.1, 0.2, 0.3, 0.4])
    #expect(Self.distance.roots == [0.5, 0.6, 0.7, 0.8])
    #expect(abs(Self.distance.sum - 3.6) < 1e-6)
  }

  @Test func `the penalty includes exceeded limits and the loss of a figure`() {
    let within = SIMD8<Float>(repeating: 1)
    #expect(abs(Self.distance.penalty(beyond: within) - 4) < 1e-6)
    var limits = within
    limits[1] = 0.1
    limits[7] = 0.6
    #expect(abs(Self.distance.penalty(beyond: limits) - (4 + 40 * 0.3)) < 1e-4)
  }
}
