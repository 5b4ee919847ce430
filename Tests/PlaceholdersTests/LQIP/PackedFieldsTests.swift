import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PackedFieldsTests {
  @Test(arguments: [0, 0xFFFF_FFFF, 0x6590_F691, 0x8000_0001, 0x1234_5678] as [UInt32])
  func `fields are those of the colors, and pack again`(bits: UInt32) {
    let value = PackedLQIP(rawValue: bits)
    for field in 0..<16 {
      let (color, channel) = (field / 3, field % 3)
      #expect(value.levels[field] == (field < 9 ? Float(value.fields[color][channel]) : 0))
      #expect(abs(value.channels[field] - (field < 9 ? value.colors[color][channel] : 0)) < 1e-6)
    }
    #expect(PackedLQIP(levels: value.levels) == value)
    #expect(PackedLQIP(rounding: value.channels) == value)
  }

  @Test func `a step changes one field by one, and stays in its range`() {
    let value = PackedLQIP(rawValue: 0x6590_F691)
    #expect(value.stepped(1, by: 1)?.rawValue == 0x6690_F691)
    #expect(value.stepped(8, by: -1)?.rawValue == 0x6590_F690)
    #expect(PackedLQIP(rawValue: 0).stepped(3, by: -1) == nil)
    #expect(PackedLQIP(rawValue: 0xFFFF_FFFF).stepped(8, by: 1) == nil)
  }
}
