import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PackedLQIPNeutralsTests {
  @Test func `each color of a neutral value looks gray, and is as light as its level`() {
    for number in 0..<512 {
      let levels = SIMD3(number / 64, number / 8 % 8, number % 8)
      for (color, level) in zip(PackedLQIP.neutral(levels).colors, [levels.x, levels.y, levels.z]) {
        #expect((color.max() - color.min()) * 255 < 8.001)
        #expect(color.z == Float(level) / 7)
      }
    }
  }
}
