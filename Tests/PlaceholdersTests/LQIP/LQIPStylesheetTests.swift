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

  @Test(arguments: [
    ("lqip", 0, "round(down, r / 16)", "mod(r, 16)", "round(down, g / 32)"),
    (
      "lqip", 1, "mod(round(down, g / 2), 16)", "(mod(g, 2) * 8 + round(down, b / 32))",
      "mod(round(down, b / 4), 8)"
    ),
    (
      "lqip2", 5, "(mod(b, 4) * 2 + round(down, round(alpha * 255) / 128))",
      "mod(round(down, round(alpha * 255) / 8), 16)", "mod(round(alpha * 255), 8)"
    ),
  ])
  func `the stylesheet computes opaque colors from the packed fields`(
    name: String, color: Int, red: String, green: String, blue: String
  ) {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let steps = color == 5 ? [7, 15, 7] : [15, 15, 7]
    let channels = zip([red, green, blue], steps).map { "calc(\($0) * 255 / \($1))" }
    #expect(
      words.contains(
        "--lqip-c\(color): rgb(from var(--\(name)) \(channels.joined(separator: " ")) / 1);"))
  }

  @Test func `the stylesheet can be embedded in an HTML page`() {
    #expect(text.utf8.allSatisfy { $0 < 128 })
    #expect(!text.contains("</"))
    #expect(text.hasSuffix("}\n"))
    #expect(text.count { $0 == "{" } == text.count { $0 == "}" })
  }
}
