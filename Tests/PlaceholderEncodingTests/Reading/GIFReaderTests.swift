#if GIF

import CPlaceholderCodecs
import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct GIFReaderTests {
  @Test(arguments: [
    (
      "gif-64-colors.gif",
      [
        "gif-uncompressed.gif", "gif-small-blocks.gif", "gif-data-behind-end.gif",
        "gif-extensions.gif", "gif-one-frame.gif", "gif-trailing-garbage.gif",
        "gif-without-trailer.gif", "gif-named-png.png", "gif-canvas-0x0.gif",
        "gif-frame-larger.gif",
        "gif-control-twice.gif",
      ]
    ),
    ("gif-local-colors.gif", ["gif-local-over-global-colors.gif"]),
    ("gif-clear-color.gif", ["gif-clear-color-interlaced.gif"]),
  ])
  func `files that store the same pixels differently decode to equal images`(
    plain: String, others: [String]
  ) throws {
    let image = try ImageDecoder().decode(fixture: plain)
    for name in others { #expect(try ImageDecoder().decode(fixture: name) == image, "\(name)") }
  }

  @Test(arguments: [
    "gif-size-8x8.gif", "gif-size-2x3.gif", "gif-interlaced-21x4.gif", "gif-noise.gif",
  ])
  func `an image that ends within its last block is truncated`(fixture: String) throws {
    let bytes = try Fixtures.bytes(fixture)
    // Without the trailer, the end of the last block, and at least one byte of it.
    for count in bytes.count - 20..<bytes.count - 2 {
      let error = #expect(throws: ImageDecodingError.self, "\(count) bytes") {
        try ImageDecoder().decode(Array(bytes[..<count]))
      }
      #expect(error == .truncated(format: .gif, reason: "unexpected end of file"))
    }
  }

  @Test func `a color index beyond the palette is black, as in Chromium`() throws {
    let size = [1, 0, 1, 0] as [UInt8]
    let white = [UInt8](repeating: 255, count: 64 * 3)
    // Three codes of eight bits: clear, color 64, end.
    let data = [7, 3, 128, 64, 129, 0] as [UInt8]
    let file =
      Array("GIF89a".utf8) + size + [0x85, 0, 0] + white + [0x2C, 0, 0, 0, 0] + size + [0] + data
      + [0x3B]
    let grid = try ImageDecoder().decode(file.span).grid
    #expect(grid.cells == [SIMD3.zero])
  }

  @Test func `a read error between two windows is reported`() throws {
    let file = try #require(FileHandle(forReadingAtPath: Fixtures.path("gif-640x480.gif")))
    let limits = ImageDecoder.Limits().codecLimits(of: ImageDecoder.Options())
    let codec = unsafe lqip_codec_create_with_descriptor(file.fileDescriptor, limits)
    let reader = try unsafe ImageReader(ImageSource(codec), .gif)
    var row = [UInt8](repeating: 0, count: 640 * 4)
    // From now on, the descriptor refers to a directory.
    let directory = unsafe open("/", O_RDONLY)
    try #require(dup2(directory, file.fileDescriptor) >= 0)
    close(directory)
    let error = #expect(throws: ImageDecodingError.self) {
      while try reader.readRow(into: &row) != nil {}
    }
    #expect(error == .unreadable(errno: EISDIR))
  }

  @Test func `the frame count stops at 65,536`() throws {
    // Frames of one pixel without data replace the trailer.
    let bytes = try Fixtures.bytes("gif-64-colors.gif").dropLast()
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0]
    for (extra, count) in [(65_534, 65_535), (65_535, 65_536), (90_000, 65_536)] {
      let file = Array(bytes) + [UInt8]((0..<extra).map { _ in frame }.joined())
      #expect(try ImageDecoder().decode((file + [0x3B]).span).frameCount == count)
      #expect(throws: ImageDecodingError.truncated(format: .gif, reason: "unexpected end of file"))
      {
        try ImageDecoder(options: .verifying).decode(Array(file.dropLast(4)).span)
      }
    }
  }
}

#endif
