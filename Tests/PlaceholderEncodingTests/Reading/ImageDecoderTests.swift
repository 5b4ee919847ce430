import Foundation
import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct ImageDecoderTests {
  /// A broken file and its error code: a row of `errors.tsv`.
  struct Broken: Sendable, CustomTestStringConvertible {
    let path: String
    /// The error code; nil if any result is acceptable.
    let code: String?

    var testDescription: String { path }

    static func rows() throws -> [Broken] {
      try Fixtures.table("errors.tsv").map { row in
        let code = try #require(row["code"])
        return Broken(path: try #require(row["path"]), code: code == "any" ? nil : code)
      }
    }
  }

  private static let fixtures = [
    "jpeg-baseline-420.jpg", "jpeg-baseline-444.jpg", "jpeg-gray.jpg", "jpeg-restart-every-row.jpg",
    "jpeg-multi-scan-baseline.jpg", "jpeg-half-scale-560x520.jpg", "jpeg-arithmetic.jpg",
    "jpeg-progressive.jpg", "jpeg-progressive-444.jpg", "jpeg-progressive-dc-refined-last.jpg",
    "jpeg-arithmetic-progressive.jpg", "jpeg-ycck.jpg", "png-rgb-8-bit.png",
    "png-palette-8-bit.png", "png-gray-16-bit.png", "png-adam7-rgba-8-bit.png", "size-300x200.png",
    "size-640x480.png", "png-adam7-size-200x140.png", "webp-lossy-560x520.webp",
    "webp-lossless-520x530.webp", "gif-640x480.gif",
  ]

  /// Files in which more than half of the bytes precede the first decodable row.
  private static let fixturesWithLateRows = [
    "webp-lossy-1100x1040.webp", "webp-lossy-2400x1800.webp", "webp-alpha-540x530.webp",
  ]

  private static func result(
    _ bytes: some Collection<UInt8>, _ options: ImageDecoder.Options = ImageDecoder.Options()
  ) -> Result<DecodedImage, ImageDecodingError> {
    let bytes = Array(bytes)
    return Result { () throws(ImageDecodingError) in
      try ImageDecoder(options: options).decode(bytes.span)
    }
  }

  @Test(arguments: try Broken.rows())
  func `a broken file fails with its expected error code`(broken: Broken) throws {
    let bytes = try Fixtures.bytes(broken.path)
    let error = Self.result(bytes).failure
    if let code = broken.code { #expect(error?.code == code, "\(String(describing: error))") }
    let file = try #require(FileHandle(forReadingAtPath: Fixtures.path(broken.path)))
    let fromFile = Result { () throws(ImageDecodingError) in
      try ImageDecoder().decode(fileDescriptor: file.fileDescriptor)
    }
    #expect(fromFile == Self.result(bytes))
  }

  @Test(arguments: try Broken.rows())
  func `lenient decoding returns an image with a warning or the same error`(broken: Broken) throws {
    let bytes = try Fixtures.bytes(broken.path)
    let strict = Self.result(bytes).failure
    switch Self.result(bytes, .lenient) {
    case .success(let image):
      let isMarked = image.warnings.contains {
        $0.hasPrefix("truncated: ") || $0.hasPrefix("damaged: ")
      }
      #expect(isMarked == (strict != nil))
    case .failure(let error): #expect(error.code == strict?.code)
    }
  }

  @Test(arguments: fixtures + fixturesWithLateRows, 0..<10)
  func `a truncated file is rejected`(fixture: String, tenths: Int) throws {
    let bytes = try Fixtures.bytes(fixture)
    let error = try #require(Self.result(bytes[..<(bytes.count * tenths / 10)]).failure)
    #expect(error.code == (tenths == 0 ? "unsupported_format" : "truncated"), "\(error)")
  }

  @Test(arguments: [
    "jpeg-progressive-dc-only-400x264.jpg", "jpeg-progressive-dc-only-scans-apart-264x300.jpg",
    "jpeg-progressive-dc-only-refined-last-300x280.jpg",
  ])
  func `a truncated progressive file with all DC coefficients is accepted`(fixture: String) throws {
    let bytes = try Fixtures.bytes(fixture)
    let completeGrid = try Self.result(bytes).get().grid
    var hasDecoded = false
    for tenths in 1..<10 {
      switch Self.result(bytes[..<(bytes.count * tenths / 10)]) {
      case .success(let image):
        hasDecoded = true
        // Without the scan that follows the DC coefficients, the light is estimated.
        let distances = try zip(
          image.grid.areaMeans(width: 8, height: 8), completeGrid.areaMeans(width: 8, height: 8)
        ).map {
          Oklab(linear: $0).distance(to: Oklab(linear: $1))
        }
        #expect(distances.reduce(0, +) / Float(distances.count) < 0.02)
        #expect(image.warnings.isEmpty)
      case .failure(let error):
        #expect(error.code == "truncated")
        #expect(!hasDecoded, "a longer part of the file decodes as well")
      }
    }
    #expect(hasDecoded)
  }

  @Test(arguments: fixtures, [5, 6, 7, 8, 9])
  func `lenient decoding returns the upper part of a truncated file`(
    fixture: String, tenths: Int
  ) throws {
    // libjpeg cannot continue if the file ends within a table between two scans.
    let isCutInTable = [
      ("jpeg-multi-scan-baseline.jpg", 8), ("jpeg-progressive-444.jpg", 7),
    ].contains { $0 == (fixture, tenths) }
    if isCutInTable { return }
    let bytes = try Fixtures.bytes(fixture)
    let image = try Self.result(bytes[..<(bytes.count * tenths / 10)], .lenient).get()
    #expect(image.warnings.contains { $0.hasPrefix("truncated: ") })
    // libjpeg decodes damaged images, at another scale.
    guard !fixture.contains("half-scale") else { return }
    let complete = try Self.result(bytes).get().grid
    #expect(image.grid.columns == complete.columns)
    #expect(image.grid.rows == complete.rows)
    let isTopDown =
      !fixture.contains("progressive") && !fixture.contains("adam7")
      && !fixture.contains("multi-scan")
    // The detailed lower part of the image takes more bytes than the sky.
    let rowCount = isTopDown ? complete.rowCount / 5 : 0
    let cellCount = rowCount * complete.columnCount
    #expect(image.grid.cells[..<cellCount] == complete.cells[..<cellCount])
  }

  @Test(arguments: [
    "jpeg-progressive.jpg", "jpeg-multi-scan-baseline.jpg", "jpeg-progressive-444.jpg",
  ])
  func `a file truncated between required scans is rejected`(fixture: String) throws {
    let bytes = try Fixtures.bytes(fixture)
    let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    try #require(scans.count > 2)
    for start in scans.dropFirst() {
      #expect(Self.result(bytes[..<start]).failure?.code == "truncated", "at \(start)")
    }
  }

  @Test(arguments: [
    "jpeg-baseline-420.jpg", "jpeg-progressive.jpg", "png-rgb-8-bit.png", "png-palette-8-bit.png",
    "webp-lossy-quality-80.webp", "webp-lossless-rgb.webp", "webp-alpha.webp",
    "webp-animated-lossy-alpha.webp", "gif-interlaced.gif", "gif-animated-offset.gif",
  ])
  func `decoding a corrupt file does not crash`(fixture: String) throws {
    let bytes = try Fixtures.bytes(fixture)
    let others = ["too_large", "unsupported_format"]
    var random = LCG(seed: UInt64(bytes.count))
    for _ in 0..<300 {
      var changed = bytes
      for _ in 0..<4 {
        changed[Int.random(in: 12..<bytes.count, using: &random)] = random.bytes(1)[0]
      }
      for options in [ImageDecoder.Options(), .lenient, .verifying] {
        if let error = Self.result(changed, options).failure {
          #expect(error.isDamage || others.contains(error.code), "\(error)")
        }
      }
    }
  }
}
