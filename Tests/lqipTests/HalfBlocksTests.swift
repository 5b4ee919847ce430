import PlaceholdersTestSupport
import Testing

@testable import Placeholders
@testable import lqip

@Suite struct HalfBlocksTests {
  @Test func `two rows of pixels become one line of text`() {
    let bitmap = RGBABitmap(
      width: 2, height: 3,
      samples: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18])
    #expect(
      HalfBlocks.text(bitmap) == """
        \u{1B}[38;2;1;2;3;48;2;7;8;9m▀\u{1B}[0m\u{1B}[38;2;4;5;6;48;2;10;11;12m▀\u{1B}[0m
        \u{1B}[38;2;13;14;15m▀\u{1B}[0m\u{1B}[38;2;16;17;18m▀\u{1B}[0m

        """)
  }

  @Test func `transparent pixels stay blank`() throws {
    let alphas: [UInt8] = [0, 255, 0, 0, 0, 200]
    let bitmap = try RGBABitmap(width: 3, height: 2, pixels: alphas.flatMap { [9, 9, 9, $0] })
    #expect(
      HalfBlocks.text(bitmap)
        == " \u{1B}[38;2;9;9;9m▀\u{1B}[0m\u{1B}[38;2;9;9;9m▄\u{1B}[0m\n")
  }
}
