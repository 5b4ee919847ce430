import PlaceholdersTestSupport
import Testing

@testable import PlaceholderEncoding
@testable import Placeholders

@Suite struct ColorCodingTests {
  /// The red, green and blue that Chromium 156 shows for a pixel with the given samples, primaries and transfer
  /// function in a cICP chunk.
  struct Shown: Sendable, CustomTestStringConvertible {
    let codes: (primaries: UInt8, transfer: UInt8)
    let samples: [UInt8]
    let colors: [UInt8]

    init(
      _ primaries: UInt8, _ transfer: UInt8, _ colors: [UInt8], samples: [UInt8] = [200, 120, 60]
    ) {
      codes = (primaries, transfer)
      (self.samples, self.colors) = (samples, colors)
    }

    var testDescription: String { "\(codes.primaries)/\(codes.transfer) of \(samples)" }
  }

  /// Returns the color of a PNG file whose pixels all have the given samples.
  private static func color(
    of samples: [UInt8], cICP numbers: [UInt8], _ others: [UInt8] = []
  ) throws -> SIMD3<UInt8> {
    var file = PNGFile(width: 1, height: 1, depth: 8, color: .rgb)
    file.scanlines = [0] + samples
    file.ancillary = PNGFile.chunk("cICP", numbers) + others
    return try SRGB.samples(ofLinear: ImageDecoder().decode(file.bytes.span).grid.cells[0])
  }

  @Test(arguments: [
    Shown(1, 13, [200, 120, 60]), Shown(4, 13, [228, 114, 43]), Shown(5, 13, [203, 120, 61]),
    Shown(6, 13, [196, 121, 59]), Shown(7, 13, [196, 121, 59]), Shown(8, 13, [220, 115, 44]),
    Shown(9, 13, [237, 105, 40]), Shown(10, 13, [255, 0, 62]), Shown(11, 13, [209, 115, 43]),
    Shown(12, 13, [213, 115, 42]), Shown(22, 13, [201, 121, 59]),
    Shown(1, 1, [197, 113, 49]), Shown(1, 4, [201, 121, 57]), Shown(1, 5, [189, 98, 36]),
    Shown(1, 6, [197, 113, 49]), Shown(1, 7, [206, 134, 77]), Shown(1, 8, [229, 183, 133]),
    Shown(1, 11, [197, 113, 49]), Shown(1, 14, [197, 113, 49]), Shown(1, 15, [197, 113, 49]),
    Shown(1, 17, [200, 109, 44]), Shown(12, 1, [210, 107, 26]), Shown(5, 1, [200, 113, 51]),
    Shown(1, 16, [26, 26, 26], samples: [60, 60, 60]),
    Shown(1, 16, [132, 132, 132], samples: [128, 128, 128]),
    Shown(1, 16, [255, 255, 255], samples: [192, 192, 192]),
    Shown(1, 16, [255, 78, 15]), Shown(9, 16, [255, 0, 0]), Shown(12, 16, [255, 32, 0]),
    Shown(1, 16, [58, 217, 58], samples: [90, 160, 90]),
    Shown(1, 16, [251, 214, 182], samples: [180, 170, 160]),
    Shown(1, 18, [39, 39, 39], samples: [60, 60, 60]),
    Shown(1, 18, [99, 99, 99], samples: [128, 128, 128]),
    Shown(1, 18, [189, 189, 189], samples: [192, 192, 192]),
    Shown(1, 18, [189, 97, 48]), Shown(9, 18, [230, 76, 29]),
    Shown(1, 18, [46, 93, 182], samples: [60, 120, 200]),
  ])
  func `code points are shown as in Chromium`(shown: Shown) throws {
    let (primaries, transfer) = shown.codes
    let color = try Self.color(of: shown.samples, cICP: [primaries, transfer, 0, 1])
    for channel in 0..<3 {
      #expect(abs(Int(color[channel]) - Int(shown.colors[channel])) <= 1, "\(color)")
    }
  }

  /// A cLLI chunk: the maximum of the content and of the mean of a frame, in 0.0001 cd/m².
  private static func lightLevel(_ maximum: UInt32) -> [UInt8] {
    PNGFile.chunk("cLLI", bytes(maximum * 10_000) + bytes(0))
  }

  /// An mDCV chunk: four chromaticities, then the maximum and the minimum of the display, in 0.0001 cd/m².
  private static func display(_ maximum: UInt32) -> [UInt8] {
    PNGFile.chunk("mDCV", Array(repeating: 0, count: 16) + bytes(maximum * 10_000) + bytes(1))
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// Shown with the maximum of the content, in cd/m².
  @Test(
    arguments: [
      (0, Shown(1, 16, [255, 78, 15])), (203, Shown(1, 16, [255, 157, 39])),
      (400, Shown(1, 16, [255, 79, 15])), (4000, Shown(1, 16, [255, 68, 12])),
      (203, Shown(9, 16, [255, 255, 255], samples: [180, 170, 160])),
      (400, Shown(9, 16, [255, 212, 179], samples: [180, 170, 160])),
      (4000, Shown(9, 16, [237, 180, 152], samples: [180, 170, 160])),
      (203, Shown(1, 16, [181, 181, 181], samples: [128, 128, 128])),
      (400, Shown(1, 16, [163, 163, 163], samples: [128, 128, 128])),
      (203, Shown(9, 18, [255, 106, 44])), (400, Shown(9, 18, [255, 95, 38])),
      (4000, Shown(9, 18, [230, 76, 29])),
      (400, Shown(1, 18, [231, 231, 231], samples: [192, 192, 192])),
    ] as [(UInt32, Shown)])
  func `the tone curve depends on the maximum light, as in Chromium`(
    maximum: UInt32, shown: Shown
  ) throws {
    let numbers = [shown.codes.primaries, shown.codes.transfer, 0, 1]
    let chunks = [
      Self.lightLevel(maximum), Self.lightLevel(maximum) + Self.display(9000),
      Self.display(maximum),
    ]
    // An unknown maximum of the content leaves that of the display.
    for chunk in maximum > 0 ? chunks : [chunks[0], []] {
      let color = try Self.color(of: shown.samples, cICP: numbers, chunk)
      for channel in 0..<3 {
        #expect(abs(Int(color[channel]) - Int(shown.colors[channel])) <= 1, "\(color)")
      }
    }
  }

  /// Unspecified and reserved values, matrices other than RGB, and the narrow range.
  @Test(arguments: [
    [2, 1, 0, 1], [0, 1, 0, 1], [3, 1, 0, 1], [13, 1, 0, 1], [255, 1, 0, 1], [12, 2, 0, 1],
    [12, 3, 0, 1], [12, 9, 0, 1], [12, 12, 0, 1], [12, 19, 0, 1], [12, 13, 1, 1], [9, 16, 9, 1],
    [12, 13, 0, 0], [12, 13, 0, 2],
  ])
  func `unsupported cICP values are ignored`(numbers: [UInt8]) throws {
    #expect(try Self.color(of: [200, 120, 60], cICP: numbers) == [200, 120, 60])
  }

  @Test func `HDR gray and alpha are converted like RGB`() throws {
    let pq = PNGFile.chunk("cICP", [9, 16, 0, 1])
    func light(_ color: PNGFile.Color, _ pixel: [UInt8]) throws -> SIMD3<Float> {
      var file = PNGFile(width: 1, height: 1, depth: 8, color: color)
      file.scanlines = [0] + pixel
      file.ancillary = pq
      return try ImageDecoder().decode(file.bytes.span).grid.cells[0]
    }
    let gray = try light(.rgb, [150, 150, 150])
    #expect(try light(.gray, [150]) == gray)
    #expect(try light(.grayAlpha, [150, 255]) == gray)
    #expect(try light(.rgba, [150, 150, 150, 255]) == gray)
    #expect(try light(.rgba, [150, 150, 150, 0]) == [1, 1, 1])
  }
}

@Suite struct TransferFunctionTests {
  @Test(arguments: [.sRGB, .gamma(2.2), .gamma(1), .smpte240] as [TransferFunction])
  func `transfer functions are monotonic from black to white`(transfer: TransferFunction) {
    let light = (0...255).map { transfer.linear(Double($0) / 255) }
    #expect(abs(light[0]) < 1e-9)
    #expect(abs(light[255] - 1) < 1e-9)
    #expect(zip(light, light.dropFirst()).allSatisfy { $0 < $1 })
    #expect(transfer.hdrName == nil)
  }

  @Test func `the sRGB function matches IEC 61966-2-1`() {
    for sample in UInt8.min...UInt8.max {
      let light = TransferFunction.sRGB.linear(Double(sample) / 255)
      #expect(abs(light - IEC61966.linear(ofSample: sample)) < 1e-12)
    }
  }

  /// A luminance of 203 cd/m² has a signal of 58% in PQ; a gray card of 26 cd/m² has 38%.
  ///
  /// Source: ITU-R BT.2408, table 1.
  @Test func `HDR reference white maps to 1`() {
    #expect(abs(TransferFunction.pq.linear(0.58) - 1) < 0.02)
    #expect(abs(TransferFunction.pq.linear(0.38) * 203 - 26) < 1)
  }
}
