import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PackedLQIPNeutralsTests {
  @Test func `each color of a neutral value looks gray`() {
    #expect(Set(PackedLQIP.neutrals).count == 512)
    for color in PackedLQIP.neutrals.flatMap(\.colors) {
      #expect((color.max() - color.min()) * 255 < 8)
    }
  }
}
