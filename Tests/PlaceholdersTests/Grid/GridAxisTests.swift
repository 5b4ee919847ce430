import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct GridAxisTests {
  private static let lengths = Array(1...700) + [1023, 1024, 4000, 6400, 65_500, 1_000_000]

  @Test func `the cells of an axis cover every pixel once, in symmetric and nearly equal parts`() {
    for length in Self.lengths {
      let axis = GridAxis(decodedLength: length, sourceLength: length, scale: 1)
      let (extents, sizes) = (axis.extents, axis.extents.map(\.count))
      #expect(extents.first?.lowerBound == 0, "\(length)")
      #expect(extents.last?.upperBound == length, "\(length)")
      for (left, right) in zip(extents, extents.dropFirst()) {
        #expect(left.upperBound == right.lowerBound, "\(length)")
      }
      let mirrored = extents.reversed().map { length - $0.upperBound..<length - $0.lowerBound }
      #expect(extents == mirrored, "\(length)")
      #expect(axis.count == extents.count)
      #expect((min(length, 127)...128).contains(axis.count), "\(length)")
      let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
      #expect(least > 0 && most - least <= 2, "\(length)")
      #expect((most...length / axis.count + 2).contains(axis.maximumCellLength), "\(length)")
      for (cell, extent) in extents.enumerated() {
        #expect(
          axis.cell(of: extent.lowerBound) == cell && axis.cell(of: extent.upperBound - 1) == cell)
      }
    }
  }

  @Test(arguments: [2, 4, 8])
  func `the cells of a scaled axis cover every source pixel once`(scale: Int) {
    for sourceLength in 1...700 {
      let decodedLength = (sourceLength + scale - 1) / scale
      let axis = GridAxis(decodedLength: decodedLength, sourceLength: sourceLength, scale: scale)
      let joined = axis.extents.flatMap(Array.init)
      #expect(joined == Array(0..<sourceLength), "\(sourceLength)")
      #expect(axis.extents.allSatisfy { $0.lowerBound % scale == 0 }, "\(sourceLength)")
    }
  }
}
