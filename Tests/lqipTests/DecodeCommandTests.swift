import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import lqip
@testable import Placeholders

@Suite struct DecodeCommandTests {
  private let hash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
  private let directory = TemporaryDirectory()

  /// Returns the width and height in the header of a PNG.
  private func size(_ png: [UInt8]) -> [Int]? {
    guard png.count > 24, png.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
    return [16, 20].map { png[$0..<($0 + 4)].reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test func `a missing width or height is derived from the placeholder`() throws {
    #expect(size(try Program("decode", hash).output) == [256, 192])
    #expect(size(try Program("decode", hash, "--height", "30").output) == [40, 30])
    #expect(size(try Program("decode", "wdQjMglyx8HIoB7tXQ8VOHOqFcJT1eis").output) == [256, 256])
    #expect(size(try Program("decode", "#ccd94c11").output) == [256, 256])
    #expect(size(try Program("decode", "#ccd94c11", "--width", "9").output) == [9, 9])
    #expect(size(try Program("decode", hash, "--width=10", "--height=7").output) == [10, 7])
  }

  @Test(arguments: [
    ("LEHV6nWB2yk8pyo0adR*.7kCMdn", "malformed BlurHash '%': "),
    ("#ccd94c1", "malformed LQIP '%': "),
    ("#ccd94c1g", "malformed LQIP '%': "), ("524288", "malformed CSS integer '%': "),
    ("EfghDwQI9wiIh4hwj3CI/AiIg", "malformed ThumbHash '%': "),
    ("47d37520", "unknown placeholder '%' (did you mean the LQIP '#47d37520'?)\n"),
    ("47375201", "unknown placeholder '%' (did you mean the LQIP '#47375201'?)\n"),
    (
      "4RYLEgp_42eHYpt2dV-oB10=",
      "unknown placeholder '%' (did you mean the ThumbHash '4RYLEgp/42eHYpt2dV+oB10='?)\n"
    ),
    (
      "4RYLEgp_42eHYpt2dV-oB10",
      "unknown placeholder '%' (did you mean the ThumbHash '4RYLEgp/42eHYpt2dV+oB10='?)\n"
    ),
    (
      "e1160b120a7fe36787629b76755fa8075d",
      "unknown placeholder '%' (did you mean the ThumbHash '4RYLEgp/42eHYpt2dV+oB10='?)\n"
    ),
    (" #ccd94c11", "unknown placeholder '%': remove the blanks around it\n"),
    (
      "data:image/png;base64,AAAA",
      "'%': data URLs need no decoding; browsers display them directly\n"
    ),
    (
      "",
      "unknown placeholder '%': expected a BlurHash, a ThumbHash or tiny JPEG in base64, an LQIP such "
    ),
    ("12.5", "unknown placeholder '%': "), ("L", "unknown placeholder '%': "),
    ("EfghDwQI9wiIh4hwj3CI", "unknown placeholder '%': "), ("é", "unknown placeholder '%': "),
  ])
  func `a malformed string is an error without output`(string: String, reason: String) throws {
    let run = try Program("decode", string, "-o", directory.file("preview.png"))
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("lqip: " + reason.replacing("%", with: string)))
    #expect(try directory.names.isEmpty)
  }

  @Test func `--kind determines the error of a malformed string`() throws {
    let run = try Program("decode", "--kind=blurhash", "L")
    #expect(run.errors == "lqip: malformed BlurHash 'L': expected at least 6 characters, found 1\n")
  }

  @Test(arguments: [
    (["#47d37520", "-o", "x2.webp"], "-o x2.webp: unsupported extension; use .png"),
    (
      ["#47d37520", "#47d37520", "-o", "two.png"],
      "-o two.png: multiple images require an output directory; pass -o DIRECTORY"
    ),
    (
      ["-", "-o", "two.PNG"],
      "-o two.PNG: multiple images require an output directory; pass -o DIRECTORY"
    ),
    (["#47d37520", "--data-url", "-o", "x.png"], "-o x.png: unsupported extension; use .txt"),
    (
      ["#47d37520", "#47d37520"],
      "multiple images require an output directory; pass -o DIRECTORY, or use --data-url"
    ), (["#47d37520", "--punch=2"], "'punch' applies to BlurHash only"),
  ])
  func `an unsuitable output or option is rejected before rendering`(
    arguments: [String], reason: String
  ) throws {
    let run = try Program(["decode"] + arguments)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("lqip: \(reason)"))
    #expect(run.errors.hasSuffix("\nTry 'lqip decode --help'.\n"))
  }

  @Test(arguments: [
    "--width=0", "--width=4097", "--height=-1", "--height=4096", "--punch=0", "--punch=0x1p1",
    "--punch=nan",
    "--kind=jpeg",
  ])
  func `an invalid command line has exit status 2`(argument: String) throws {
    let run = try Program("decode", hash, argument)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasSuffix("\nTry 'lqip decode --help'.\n"))
  }
}

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
