import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct LQIPStylesheetTests {
  private let text = LQIP.stylesheet

  /// The gradients in the order of the text: those of three colors, then those of six.
  private var gradients: [(radius: [Int], center: [Int], color: Int, stops: [Int])] {
    let pattern =
      /radial-gradient\((\d+)% (\d+)% at (\d+)% (\d+)% in srgb,\s*((?:rgb\(from var\(--lqip-c\d\) r g b \/ \d+%\)[, ]*)+)\)/
    return text.matches(of: pattern).map { match in
      let stops = match.5.matches(of: /c(\d)\) r g b \/ (\d+)%/)
      return (
        [match.1, match.2].compactMap { Int($0) }, [match.3, match.4].compactMap { Int($0) },
        Set(stops.compactMap { Int($0.1) }).max() ?? -1, stops.compactMap { Int($0.2) }
      )
    }
  }

  @Test func `the stylesheet has the same gradients as previews, topmost first`() {
    let expected = [LQIPGradient.forThreeColors, LQIPGradient.forSixColors].flatMap { layers in
      Array(layers.enumerated().reversed())
    }
    #expect(gradients.count == expected.count)
    for (gradient, (index, layer)) in zip(gradients, expected) {
      #expect(gradient.color == index + 1)
      for axis in 0..<2 {
        #expect(abs(Float(gradient.radius[axis]) / 100 - layer.radius[axis]) < 1e-5)
        #expect(abs(Float(gradient.center[axis]) / 100 - layer.center[axis]) < 1e-5)
      }
      #expect(gradient.stops.count == LQIPGradient.stops.count)
      for (stop, opacity) in zip(gradient.stops, LQIPGradient.stops) {
        #expect(abs(Float(stop) / 100 - opacity) < 1e-5)
      }
    }
  }

  @Test func `the stylesheet can be embedded in an HTML page`() {
    #expect(text.utf8.allSatisfy { $0 < 128 })
    #expect(!text.contains("</"))
    #expect(text.hasSuffix("}\n"))
    #expect(text.count { $0 == "{" } == text.count { $0 == "}" })
  }
}
