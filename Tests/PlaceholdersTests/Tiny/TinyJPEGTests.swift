import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct TinyJPEGTests {
  private static let value = TinyJPEG(encoding: .noise(width: 60, height: 40))

  @Test
  func `the length of the header is a multiple of three bytes, which allows appending Base64`() {
    #expect(TinyJPEG.headerBytes.count.isMultiple(of: 3))
    #expect(!TinyJPEG.header.contains("="))
    #expect(TinyJPEG.headerBytes.starts(with: [0xff, 0xd8, 0xff, 0xdb]))
    #expect(Base64.decode(TinyJPEG.endOfImage.utf8) == [0xff, 0xd9])
  }

  @Test func `the bytes of the header never change`() {
    // FNV-1a
    let checksum = TinyJPEG.headerBytes.reduce(0xcbf2_9ce4_8422_2325) { (sum: UInt64, byte) in
      (sum ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    #expect(checksum == 0xc392_8ca6_7561_1850)
  }

  @Test func `a tiny JPEG survives a round trip through text and bytes`() throws {
    #expect(try TinyJPEG(parsing: Self.value.description) == Self.value)
    #expect(try TinyJPEG(bytes: Self.value.bytes) == Self.value)
  }

  @Test func `a data URL contains the complete file`() {
    let value = Self.value
    let text = value.dataURL.replacing("data:image/jpeg;base64,", with: "")
    #expect(Base64.decode(text.utf8) == value.file)
  }

  @Test(arguments: [
    ("no value!", TinyJPEG.ParsingError.notBase64), ("AAAAA", .notBase64),
    ("", .truncated), ("AAAA", .truncated),
    ("/////////////w==", .truncated),
    (String(repeating: "A", count: 36), .tooLong(byteCount: 27)),
  ])
  func `text that no encoder produces is rejected`(text: String, error: TinyJPEG.ParsingError) {
    #expect(throws: error) { try TinyJPEG(parsing: text) }
  }

  @Test func `a value that is too short, too long or wrongly padded is rejected`() {
    let bytes = Self.value.bytes
    for count in bytes.indices {
      #expect(throws: TinyJPEG.ParsingError.self) {
        try TinyJPEG(bytes: Array(bytes.prefix(count)))
      }
    }
    let flat = TinyJPEG(encoding: PixelGrid(width: 9, height: 9) { _, _ in SIMD3(0.2, 0.4, 0.1) })
    for rest: [UInt8] in [[0xff, 0xff, 0xff], [0, 0, 0], [0xff]] {
      #expect(throws: TinyJPEG.ParsingError.wrongPadding) {
        try TinyJPEG(bytes: flat.bytes + rest)
      }
    }
    var other = flat.bytes
    other[other.count - 1] &= 0xfe
    #expect(throws: TinyJPEG.ParsingError.self) { try TinyJPEG(bytes: other) }
  }

  @Test func `transforming the samples of coefficients returns the coefficients`() {
    var random = LCG(seed: 8)
    var coefficients = TinyCoefficients()
    for index in coefficients.values.indices {
      coefficients.values[index] = Int16.random(in: -9...9, using: &random)
    }
    let found = TinyTransform.coefficients(of: coefficients.samples, TinyTransform.basis)
    for (position, frequency) in TinyTables.zigzag.enumerated() {
      for component in 0..<3 {
        let level = Float(coefficients.values[component * 64 + position])
        let exact = level * Float(TinyTables.steps[component][position])
        #expect(abs(found[frequency][component] - exact) < 0.01)
      }
    }
    let flat = TinyTransform.coefficients(
      of: [SIMD4<Float>](repeating: .one, count: 64), TinyTransform.basis)
    // ITU-T T.81, A.3.3: the DC coefficient is eight times the mean.
    #expect(abs(flat[0].x - 8) < 1e-5)
    #expect(flat.dropFirst().allSatisfy { abs($0.x) < 1e-5 })
  }

  @Test func `coefficients of samples far beyond black or white are rejected`() throws {
    let limit = 2048 / Int(TinyTables.steps[0][0])
    for (level, isValid) in [
      (limit, true), (limit + 1, false), (-limit, true), (-limit - 1, false),
    ] {
      var coefficients = TinyCoefficients()
      coefficients.values[0] = Int16(level)
      let bytes = TinyJPEG(coefficients).bytes
      #expect(try TinyScan.coefficients(of: bytes) == coefficients)
      if isValid {
        #expect(throws: Never.self) { try TinyJPEG(bytes: bytes) }
      } else {
        #expect(throws: TinyJPEG.ParsingError.outOfRange) {
          try TinyJPEG(bytes: bytes)
        }
      }
    }
  }
}
