import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct RowConverterTests {
  private static func rgb(_ cmyk: [UInt8]) -> [UInt8] {
    var row = cmyk
    var output = Array(repeating: UInt8(7), count: cmyk.count)
    let pixelCount = cmyk.count / 4
    RowConverter(input: .cmyk, transform: nil)
      .convert(&row, into: &output, pixelCount: pixelCount)
    return Array(output[..<(pixelCount * 3)])
  }

  @Test func `without a profile, cyan, magenta and yellow are multiplied by black`() {
    var random = LCG(seed: 4)
    let cmyk = random.bytes(4000) + [0, 0, 0, 0, 255, 255, 255, 255, 255, 0, 128, 0]
    let expected = (0..<cmyk.count / 4).flatMap { pixel in
      (0..<3).map { channel in
        let light = Double(cmyk[pixel * 4 + channel])
        return UInt8((light * Double(cmyk[pixel * 4 + 3]) / 255).rounded())
      }
    }
    #expect(Self.rgb(cmyk) == expected)
  }

  @Test func `only the given number of pixels is converted`() {
    var row: [UInt8] = [255, 255, 255, 255, 0, 0, 0, 0]
    var output: [UInt8] = [1, 2, 3, 4, 5, 6]
    RowConverter(input: .cmyk, transform: nil)
      .convert(&row, into: &output, pixelCount: 1)
    #expect(output == [255, 255, 255, 4, 5, 6])
  }
}
