import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct ComponentCountTests {
  @Test(arguments: [
    ((640, 480), (4, 3)), ((480, 640), (3, 4)), ((512, 512), (4, 4)), ((1, 1), (4, 4)),
    ((92, 1200), (3, 4)), ((6400, 92), (4, 3)), ((1, 65_000), (3, 4)), ((65_000, 1), (4, 3)),
    ((513, 512), (4, 3)), ((512, 513), (3, 4)),
  ])
  func `the long side has four terms and the short one three`(size: (Int, Int), terms: (Int, Int)) {
    #expect(
      ComponentCount.auto(width: size.0, height: size.1) == ComponentCount(x: terms.0, y: terms.1))
  }

  @Test(arguments: 1...9, 1...9)
  func `counts survive writing and reading`(x: Int, y: Int) {
    let components = ComponentCount(x: x, y: y)
    #expect("\(components)" == "\(x)x\(y)")
    #expect(ComponentCount("\(x)x\(y)") == components)
    #expect(components.count == x * y)
  }

  @Test(arguments: [
    "", "x", "4", "4x", "x3", "0x3", "4x0", "10x3", "4x10", "4X3", "4*3", "4×3", "4x3 ", " 4x3",
    "-4x3", "4x+3", "4xx3", "44", "443", "٤x٣", "auto",
  ])
  func `any other text is refused`(text: String) {
    #expect(ComponentCount(text) == nil)
  }

  @Test func `counts out of range are a programmer error`() async {
    await #expect(processExitsWith: .failure) { _ = ComponentCount(x: 0, y: 3) }
    await #expect(processExitsWith: .failure) { _ = ComponentCount(x: 10, y: 3) }
    await #expect(processExitsWith: .failure) { _ = ComponentCount(x: 4, y: 0) }
    await #expect(processExitsWith: .failure) { _ = ComponentCount(x: 4, y: 10) }
  }
}
