import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct GridAxisTests {
  private static let lengths = Array(1...700) + [1023, 1024, 4000, 6400, 65_500, 1_000_000]

  @Test func `the cells of an axis cover every pixel once, in symmetric and nearly equal parts`() {
    for length in Self.lengths {
      let axis = GridAxis(decodedLength: length, sourceLength: length, scale: 1)
      let bounds = axis.sourceBounds
      let sizes = zip(bounds, bounds.dropFirst()).map { $1 - $0 }
      #expect(bounds.first == 0 && bounds.last == length, "\(length)")
      #expect(bounds == bounds.reversed().map { length - $0 }, "\(length)")
      #expect(axis.count == sizes.count)
      #expect((min(length, 127)...128).contains(axis.count), "\(length)")
      let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
      #expect(least > 0 && most - least <= 2, "\(length)")
      #expect((most...length / axis.count + 2).contains(axis.maximumCellLength), "\(length)")
      for cell in sizes.indices {
        #expect(axis.cell(of: bounds[cell]) == cell && axis.cell(of: bounds[cell + 1] - 1) == cell)
      }
    }
  }

  @Test(arguments: [2, 4, 8])
  func `the cells of a scaled axis cover every source pixel once`(scale: Int) {
    for sourceLength in 1...700 {
      let decodedLength = (sourceLength + scale - 1) / scale
      let axis = GridAxis(decodedLength: decodedLength, sourceLength: sourceLength, scale: scale)
      let bounds = axis.sourceBounds
      #expect(bounds.first == 0 && bounds.last == sourceLength, "\(sourceLength)")
      #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "\(sourceLength)")
      #expect(bounds.dropLast().allSatisfy { $0 % scale == 0 }, "\(sourceLength)")
    }
  }
}
