import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct TinyJPEGTests {
  private static let value = TinyJPEG(encoding: .noise(width: 60, height: 40))

  @Test(arguments: TinyJPEG.Shape.allCases)
  func `the length of a header is a multiple of three bytes, which allows appending Base64`(
    shape: TinyJPEG.Shape
  ) {
    #expect(shape.headerBytes.count.isMultiple(of: 3))
    #expect(!shape.header.contains("="))
    #expect(shape.headerBytes.starts(with: [0xff, 0xd8, 0xff, 0xdb]))
    #expect(Base64.decode(TinyJPEG.endOfImage.utf8) == [0xff, 0xd9])
  }

  @Test func `the bytes of a header never change`() {
    func checksum(_ shape: TinyJPEG.Shape) -> UInt64 {
      // FNV-1a
      shape.headerBytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
    #expect(checksum(.landscape) == 0xb278cb2fc825466a)
    #expect(checksum(.portrait) == 0xbe03ebe4c2d55b0a)
  }

  @Test func `the portrait quantization tables are the transposed landscape tables`() {
    let (landscape, portrait) = (TinyTables.steps(.landscape), TinyTables.steps(.portrait))
    for component in 0..<3 {
      for (position, frequency) in TinyTables.zigzag.enumerated() {
        let other = TinyTables.zigzag.firstIndex { $0 == (frequency.y, frequency.x) }
        #expect(other.map { landscape[component][$0] } == portrait[component][position])
      }
    }
  }

  @Test func `an image is portrait only if it is taller than it is wide`() {
    #expect(TinyJPEG.Shape(width: 3, height: 4) == .portrait)
    #expect(TinyJPEG.Shape(width: 4, height: 4) == .landscape)
    #expect(TinyJPEG.Shape(width: 5, height: 4) == .landscape)
    #expect(TinyJPEG(encoding: .noise(width: 30, height: 40)).shape == .portrait)
    #expect(TinyJPEG(encoding: .noise(width: 40, height: 30)).shape == .landscape)
  }

  @Test func `a tiny JPEG survives a round trip through text and bytes`() throws {
    for shape in TinyJPEG.Shape.allCases {
      let value = TinyJPEG(
        encoding: .noise(width: 60, height: 40), shape: shape, maximumByteCount: 24)
      #expect(try TinyJPEG(parsing: value.description, shape: shape) == value)
      #expect(try TinyJPEG(bytes: value.bytes, shape: shape) == value)
    }
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
    #expect(throws: error) { try TinyJPEG(parsing: text, shape: .landscape) }
  }

  @Test func `a value that is too short, too long or wrongly padded is rejected`() {
    let bytes = Self.value.bytes
    for count in bytes.indices {
      #expect(throws: TinyJPEG.ParsingError.self) {
        try TinyJPEG(bytes: Array(bytes.prefix(count)), shape: .landscape)
      }
    }
    let flat = TinyJPEG(encoding: PixelGrid(width: 9, height: 9) { _, _ in SIMD3(0.2, 0.4, 0.1) })
    for rest: [UInt8] in [[0xff, 0xff, 0xff], [0, 0, 0], [0xff]] {
      #expect(throws: TinyJPEG.ParsingError.wrongPadding) {
        try TinyJPEG(bytes: flat.bytes + rest, shape: .landscape)
      }
    }
    var other = flat.bytes
    other[other.count - 1] &= 0xfe
    #expect(throws: TinyJPEG.ParsingError.self) { try TinyJPEG(bytes: other, shape: .landscape) }
  }

  @Test func `coefficients of samples far beyond black or white are rejected`() throws {
    let limit = 2048 / Int(TinyTables.steps(.landscape)[0][0])
    for (level, isValid) in [
      (limit, true), (limit + 1, false), (-limit, true), (-limit - 1, false),
    ] {
      var coefficients = TinyCoefficients()
      coefficients.values[0] = Int16(level)
      coefficients.values[3 * 64] = Int16(level)
      let bytes = TinyScan.paddedBytes(of: coefficients)
      #expect(try TinyScan.coefficients(of: bytes) == coefficients)
      if isValid {
        #expect(throws: Never.self) { try TinyJPEG(bytes: bytes, shape: .landscape) }
      } else {
        #expect(throws: TinyJPEG.ParsingError.outOfRange) {
          try TinyJPEG(bytes: bytes, shape: .landscape)
        }
      }
    }
  }
}
