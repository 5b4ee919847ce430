import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding

@Suite struct DecodeLimitsTests {
  private static func error(
    _ fixture: String, options: ImageDecoder.Options = ImageDecoder.Options(),
    limits change: (inout ImageDecoder.Limits) -> Void
  ) throws -> ImageDecodingError? {
    let encoder = PlaceholderEncoder {
      $0.decoding = options
      change(&$0.limits)
    }
    return try encoder.result(fixture: fixture).failure
  }

  /// Source: the limits of imgproxy, sharp, libvips and Chromium.
  @Test func `the default limits match those of imgproxy, sharp, libvips or Chromium`() {
    let limits = ImageDecoder.Limits()
    for format in ImageFormat.allCases {
      let isLossless = format == .png || format == .gif
      #expect(
        ImageDecoder.Limits.defaultPixelCount(of: format)
          == (isLossless ? 50_000_000 : 0x3FFF * 0x3FFF))
    }
    #expect(limits.maximumDecodeMemory == 256 * 1024 * 1024)
    #expect(limits.maximumScanCount == 100)
    #expect(limits.maximumWarningCount == 100)
    #expect(limits.timeLimit == nil)
  }

  @Test(arguments: [
    ("size-300x200.png", ImageFormat.png, 300, 200), ("jpeg-baseline-420.jpg", .jpeg, 100, 75),
    ("gif-640x480.gif", .gif, 640, 480), ("webp-lossy-1100x1040.webp", .webp, 1100, 1040),
  ])
  func `an image above the pixel limit of its format is rejected`(
    fixture: String, format: ImageFormat, width: Int, height: Int
  ) throws {
    let most = width * height
    let error = try Self.error(fixture) { limits in
      for other in ImageFormat.allCases { limits.maximumPixelCounts[other] = 1 }
      limits.maximumPixelCounts[format] = most
    }
    #expect(error == nil)
    #expect(
      try Self.error(fixture) { $0.maximumPixelCounts[format] = most - 1 }
        == .tooLarge(reason: "\(width)x\(height) pixels, above the limit of \(most - 1)"))
  }

  @Test(arguments: ["jpeg-progressive.jpg", "jpeg-arithmetic-progressive.jpg"])
  func `an image with too many scans is rejected`(
    fixture: String
  ) throws {
    #expect(try Self.error(fixture) { $0.maximumScanCount = 10 } == nil)
    #expect(
      try Self.error(fixture) { $0.maximumScanCount = 9 } == .tooLarge(reason: "too many scans"))
  }

  @Test func `unread scans count toward the scan limit only during verification`() throws {
    let fixture = "jpeg-progressive-dc-only-400x264.jpg"
    #expect(try Self.error(fixture) { $0.maximumScanCount = 1 } == nil)
    #expect(
      try Self.error(fixture, options: .verifying) { $0.maximumScanCount = 9 }
        == .tooLarge(reason: "too many scans"))
  }

  @Test(arguments: [200_000, 0, -1])
  func `coefficients above the memory limit are rejected, also by a limit of zero or less`(
    memory: Int
  ) throws {
    // An image of 264x300 pixels at 4:2:0 has 1.5 coefficients of 2 bytes per pixel.
    let fixture = "jpeg-progressive-dc-only-scans-apart-264x300.jpg"
    #expect(
      try Self.error(fixture, options: .verifying) { $0.maximumDecodeMemory = 1 << 20 } == nil)
    #expect(
      try Self.error(fixture, options: .verifying) { $0.maximumDecodeMemory = memory }
        == .tooLarge(reason: "decoding needs too much memory"))
  }

  @Test func `no coefficients are stored unless later scans are verified`() throws {
    let fixture = "jpeg-progressive-dc-only-400x264.jpg"
    #expect(try Self.error(fixture) { $0.maximumDecodeMemory = 1 } == nil)
    #expect(
      try Self.error(fixture, options: .verifying) { $0.maximumDecodeMemory = 300_000 }
        == .tooLarge(reason: "decoding needs too much memory"))
  }

  @Test func `too many codec warnings are an error`() throws {
    let fixture = "png-text-bad-checksum.png"
    #expect(try Self.error(fixture) { $0.maximumWarningCount = 1 } == nil)
    #expect(
      try Self.error(fixture) { $0.maximumWarningCount = 0 }
        == .corrupt(format: .png, reason: "too many warnings"))
  }

  @Test(arguments: [
    "jpeg-baseline-420.jpg", "jpeg-progressive.jpg", "png-rgb-8-bit.png", "gif-noise.gif",
    "webp-lossless-520x530.webp",
  ])
  func `a time limit of zero expires at once`(fixture: String) throws {
    #expect(try Self.error(fixture) { $0.timeLimit = .zero } == .timedOut)
    #expect(try Self.error(fixture) { $0.timeLimit = .seconds(-1) } == .timedOut)
    #expect(try Self.error(fixture) { $0.timeLimit = .seconds(3600) } == nil)
    #expect(try Self.error(fixture) { $0.wallTimeLimit = .zero } == .timedOut)
    #expect(try Self.error(fixture) { $0.wallTimeLimit = .seconds(-1) } == .timedOut)
    #expect(try Self.error(fixture) { $0.wallTimeLimit = .seconds(3600) } == nil)
  }

  @Test func `untrusted images get 5 seconds of CPU time and 10 seconds in all`() {
    let limits = ImageDecoder.Limits.untrusted
    #expect(limits.timeLimit == .seconds(5) && limits.wallTimeLimit == .seconds(10))
  }

  @Test func `waiting for a slow pipe does not count as CPU time`() throws {
    let pipe = Pipe()
    let bytes = try Fixtures.bytes("png-rgb-8-bit.png")
    let writer = Thread {
      pipe.fileHandleForWriting.write(Data(bytes.prefix(100)))
      Thread.sleep(forTimeInterval: 0.5)
      pipe.fileHandleForWriting.write(Data(bytes.dropFirst(100)))
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    var decoder = ImageDecoder()
    decoder.limits.timeLimit = .milliseconds(400)
    let image = try decoder.decode(fileDescriptor: pipe.fileHandleForReading.fileDescriptor)
    #expect(image == (try ImageDecoder().decode(fixture: "png-rgb-8-bit.png")))
  }

  @Test func `data after the last row is checked only during verification`() throws {
    let fixture = "broken/png-long-image-data-damaged.png"
    #expect(try Self.error(fixture) { _ in } == nil)
    #expect(try Self.error(fixture, options: .verifying) { _ in }?.isDamage == true)
    let intact = try PlaceholderEncoder().encode(fixture: "broken/png-long-image-data.png")
    #expect(try PlaceholderEncoder().encode(fixture: fixture).picture == intact.picture)
  }

  @Test func `a PNG side above 65,535 pixels is rejected`() throws {
    #expect(try Self.error("size-65535x1.png") { _ in } == nil)
    #expect(
      try Self.error("broken/png-65536x1.png") { _ in }
        == .tooLarge(reason: "a side exceeds 65,535 pixels"))
  }

  @Test func `a time limit beyond the clock's range never expires`() async {
    await #expect(processExitsWith: .success) {
      for seconds in [40_000_000_000, Int64.max] {
        let error = try Self.error("png-rgb-8-bit.png") {
          $0.timeLimit = .seconds(seconds)
          $0.wallTimeLimit = .seconds(seconds)
        }
        #expect(error == nil)
      }
    }
  }

  @Test func `limits above the codecs' range are clamped`() throws {
    for fixture in ["png-rgb-8-bit.png", "jpeg-progressive.jpg"] {
      let error = try Self.error(fixture) {
        $0.maximumPixelCounts[.jpeg] = .max
        $0.maximumPixelCounts[.png] = .max
        $0.maximumDecodeMemory = .max
        $0.maximumScanCount = .max
        $0.maximumWarningCount = .max
      }
      #expect(error == nil)
    }
  }

  @Test func `negative limits reject every image`() throws {
    #expect(
      try Self.error("png-rgb-8-bit.png") { $0.maximumPixelCounts[.png] = -1 }?.code == "too_large")
    #expect(
      try Self.error("jpeg-gray.jpg") { $0.maximumPixelCounts[.jpeg] = -1 }?.code == "too_large")
    #expect(
      try Self.error("jpeg-progressive.jpg") { $0.maximumScanCount = -1 }?.code == "too_large")
  }
}
