import Foundation
import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PackedColorsTests {
  /// The lowest bit and the width of each field, from the most significant: R4 G4 B3, R4 G4 B3, R3 G4 B3.
  private static let layout: [(color: Int, channel: Int, shift: Int, width: Int)] = [
    (0, 0, 28, 4), (0, 1, 24, 4), (0, 2, 21, 3), (1, 0, 17, 4), (1, 1, 13, 4), (1, 2, 10, 3),
    (2, 0, 7, 3), (2, 1, 3, 4), (2, 2, 0, 3),
  ]

  private static func field(_ index: Int, of bits: UInt32) -> UInt32 {
    bits >> layout[index].shift & (1 << layout[index].width - 1)
  }

  @Test(arguments: 0..<9)
  func `every field value survives unpacking and packing`(index: Int) {
    let (color, channel, shift, width) = Self.layout[index]
    var random = LCG(seed: UInt64(index))
    for value in 0..<UInt32(1 << width) {
      for _ in 0..<50 {
        let others = UInt32.random(in: 0...(.max), using: &random) & ~((1 << width - 1) << shift)
        let packed = LQIP.PackedColors(rawValue: others | value << shift)
        #expect(packed.levels[index] == Float(value))
        #expect(
          packed.colors[color][channel] == Float(value) / Float(1 << width - 1))
        #expect(LQIP.PackedColors(levels: packed.levels) == packed)
      }
    }
  }

  @Test func `each channel is rounded to the nearest value of its field`() {
    var random = LCG(seed: 3)
    for _ in 0..<2000 {
      let colors = (0..<3).map { _ in random.color() }
      let bits = LQIP.PackedColors(rounding: colors).rawValue
      for (index, field) in Self.layout.enumerated() {
        let exact = Double(colors[field.color][field.channel]) * Double(1 << field.width - 1)
        #expect(abs(Double(Self.field(index, of: bits)) - exact) <= 0.500001)
      }
    }
  }
}

@Suite struct PackedColorsStringTests {
  @Test func `the text is a hash sign and eight lowercase hexadecimal digits`() {
    var random = LCG(seed: 9)
    for _ in 0..<2000 {
      // The shift makes small values as frequent as large ones.
      let bits =
        UInt32.random(in: 0...(.max), using: &random) >> UInt32.random(in: 0...31, using: &random)
      let text = LQIP.PackedColors(rawValue: bits).description
      #expect(text.utf8.count == 9)
      #expect(text.wholeMatch(of: /#[0-9a-f]{8}/) != nil)
      #expect(UInt32(text.dropFirst(), radix: 16) == bits)
      #expect(LQIP.PackedColors(text)?.rawValue == bits)
    }
  }

  @Test(arguments: [
    "", "#", "#1234567", "#123456789", "123456789a", "#12345678 ", "#fff", "#é1234567",
  ])
  func `text of a length other than nine bytes is rejected`(text: String) {
    #expect(throws: LQIP.ParsingError.wrongLength(text.utf8.count)) {
      try LQIP.PackedColors(parsing: text)
    }
  }

  @Test(arguments: [
    "123456789", "#1234567g", "##2345678", "#+2345678", "#0x45678 ", "#é234567", " #1234567",
  ])
  func `text without a hash sign or with invalid digits is rejected`(text: String) {
    #expect(throws: LQIP.ParsingError.notHexadecimal) { try LQIP.PackedColors(parsing: text) }
  }
}

@Suite struct PackedColorsErrorTests {
  @Test func `a parsing error is described on one line`() {
    #expect(
      "\(LQIP.ParsingError.wrongLength(4))" == "expected 9 characters, found 4")
    #expect(
      "\(LQIP.ParsingError.notHexadecimal)" == "expected '#' followed by 8 hexadecimal digits")
  }
}

@Suite struct PackedFieldsTests {
  @Test(arguments: [0, 0xFFFF_FFFF, 0x6590_F691, 0x8000_0001, 0x1234_5678] as [UInt32])
  func `channels match the colors, and levels and channels survive packing`(bits: UInt32) {
    let value = LQIP.PackedColors(rawValue: bits)
    for field in 0..<16 {
      let (color, channel) = (field / 3, field % 3)
      #expect(abs(value.channels[field] - (field < 9 ? value.colors[color][channel] : 0)) < 1e-6)
    }
    #expect(LQIP.PackedColors(levels: value.levels) == value)
    #expect(LQIP.PackedColors(rounding: value.channels) == value)
  }
}

@Suite struct LQIPTests {
  private static let three = LQIP(LQIP.PackedColors(rawValue: 0x36B3_7520))
  private static let six = LQIP(
    LQIP.PackedColors(rawValue: 0x36B3_7520), LQIP.PackedColors(rawValue: 0x0123_4567))

  @Test(arguments: [(three, "#36b37520"), (six, "#36b37520 #01234567")])
  func `three and six colors survive a round trip as text`(lqip: LQIP, text: String) throws {
    #expect(lqip.description == text)
    #expect(try LQIP(parsing: text.uppercased()) == lqip)
  }

  @Test(arguments: [
    ("#36b37520 #0123456", LQIP.ParsingError.wrongLength(18)),
    ("#36b37520  #01234567", .wrongLength(20)), ("#36b37520,#01234567", .wrongLength(19)),
    ("#36b37520 001234567", .notHexadecimal), (" #36b37520 #0123456", .wrongLength(19)),
  ])
  func `a wrong separator or length is rejected`(text: String, error: LQIP.ParsingError) {
    #expect(throws: error) { try LQIP(parsing: text) }
    #expect(LQIP(text) == nil)
  }
}
