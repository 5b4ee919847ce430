import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct BlurHashTests {
  @Test func `the average color is in the second to the fifth byte`() throws {
    #expect(try BlurHash("00TI?p").averageColor == SRGBColor(red: 255, green: 0, blue: 255))
    #expect(try BlurHash("00TSUA").averageColor == .white)
    #expect(try BlurHash("000000").averageColor == .black)
  }

  @Test func `the maximum counts in steps of 1 to 166, from 1 on`() throws {
    #expect(try BlurHash("000000").maximum == 1 / 166)
    #expect(try BlurHash("0~0000").maximum == 0.5)
  }

  @Test func `a wrong number of terms is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      _ = BlurHash(components: ComponentCount(x: 2, y: 2), quantizedMaximum: 0, dc: 0, ac: [1, 2])
    }
  }
}
