import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PackedLQIPTests {
  /// Where each field begins and how wide it is: R4 G4 B3, R4 G4 B3, R3 G4 B3 from the highest bit on.
  private static let layout: [(color: Int, channel: Int, shift: Int, width: Int)] = [
    (0, 0, 28, 4), (0, 1, 24, 4), (0, 2, 21, 3), (1, 0, 17, 4), (1, 1, 13, 4), (1, 2, 10, 3),
    (2, 0, 7, 3), (2, 1, 3, 4), (2, 2, 0, 3),
  ]

  private static func field(_ index: Int, of bits: UInt32) -> UInt32 {
    bits >> layout[index].shift & (1 << layout[index].width - 1)
  }

  @Test(arguments: 0..<9)
  func `every value of a field survives unpacking and packing`(index: Int) {
    let (color, channel, shift, width) = Self.layout[index]
    var random = LCG(seed: UInt64(index))
    for value in 0..<UInt32(1 << width) {
      for _ in 0..<50 {
        let others = UInt32.random(in: 0...(.max), using: &random) & ~((1 << width - 1) << shift)
        let packed = PackedLQIP(rawValue: others | value << shift)
        #expect(packed.fields[color][channel] == value)
        #expect(
          packed.colors[color][channel] == Float(value) / Float(1 << width - 1))
        #expect(PackedLQIP(fields: packed.fields) == packed)
      }
    }
  }

  @Test func `values of 32 bits survive unpacking, rounding and packing`() {
    var random = LCG(seed: 32)
    for _ in 0..<100_000 {
      let packed = PackedLQIP(rawValue: UInt32.random(in: 0...(.max), using: &random))
      let isSame =
        PackedLQIP(fields: packed.fields) == packed && PackedLQIP(rounding: packed.colors) == packed
      if !isSame { Issue.record("\(packed)") }
    }
  }

  @Test func `each channel is rounded to the nearest value of its field`() {
    var random = LCG(seed: 3)
    for _ in 0..<2000 {
      let colors = (0..<3).map { _ in random.color() }
      let bits = PackedLQIP(rounding: colors).rawValue
      for (index, field) in Self.layout.enumerated() {
        let exact = Double(colors[field.color][field.channel]) * Double(1 << field.width - 1)
        #expect(abs(Double(Self.field(index, of: bits)) - exact) <= 0.500001)
      }
    }
  }

  @Test func `two or four colors are a programmer error`() async {
    await #expect(processExitsWith: .failure) { _ = PackedLQIP(fields: [.zero, .zero]) }
    await #expect(processExitsWith: .failure) {
      _ = PackedLQIP(fields: [.zero, .zero, .zero, .zero])
    }
  }
}
