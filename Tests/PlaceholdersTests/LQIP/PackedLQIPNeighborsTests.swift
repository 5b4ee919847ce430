import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct PackedLQIPNeighborsTests {
  @Test(arguments: [0, 0xFFFF_FFFF, 0x6590_F691, 0x8000_0001] as [UInt32])
  func `a step changes one field by one`(bits: UInt32) {
    let value = PackedLQIP(rawValue: bits)
    let fieldsAtAnEnd = (0..<9).filter { field in
      let value = Float(value.fields[field / 3][field % 3])
      return value == 0 || value == PackedLQIP.largestFields[field / 3][field % 3]
    }
    #expect(value.steps.count == 18 - fieldsAtAnEnd.count)
    for step in value.steps {
      let stepped = PackedLQIP(rawValue: bits &+ step.bits)
      for color in 0..<3 {
        for channel in 0..<3 {
          let change = stepped.colors[color][channel] - value.colors[color][channel]
          let isStepped = color == step.color && channel == step.channel
          #expect(abs(change - (isStepped ? step.distance : 0)) < 1e-6)
        }
      }
    }
  }

  @Test func `each color of a neutral value looks gray`() {
    #expect(Set(PackedLQIP.neutrals).count == 512)
    for color in PackedLQIP.neutrals.flatMap(\.colors) {
      #expect((color.max() - color.min()) * 255 < 8)
    }
  }
}
