import Testing

@testable import PlaceholderEncoding

@Suite struct BitWriterTests {
  @Test func `bits are packed starting with the highest`() {
    var writer = BitWriter(capacity: 8)
    writer.append(0b101, count: 3)
    writer.append(0b1_1100, count: 5)
    writer.append(0x1_2345, count: 24)
    #expect(writer.bytes == [0b1011_1100, 0x01, 0x23, 0x45])
  }

  @Test func `the last byte is padded with ones`() {
    var writer = BitWriter(capacity: 8)
    writer.append(0b01, count: 2)
    writer.finish()
    writer.finish()
    #expect(writer.bytes == [0b0111_1111])
  }

  @Test func `a zero is stuffed after 0xFF`() {
    var writer = BitWriter(capacity: 8)
    writer.append(0xffff_fff0, count: 32)
    writer.append(0xf, count: 4)
    writer.finish()
    #expect(writer.bytes == [0xff, 0, 0xff, 0, 0xff, 0, 0xf0, 0xff, 0])
  }
}
