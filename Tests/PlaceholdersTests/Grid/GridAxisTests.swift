import PlaceholdersTestSupport
import Testing

@testable import Placeholders

@Suite struct GridAxisTests {
  private static let lengths = Array(1...700) + [1023, 1024, 4000, 6400, 65_500, 1_000_000]

  @Test func `cells cover every pixel once`() {
    for length in Self.lengths {
      let axis = GridAxis(decodedLength: length, sourceLength: length, scale: 1)
      #expect(axis.extents.first?.lowerBound == 0, "\(length)")
      #expect(axis.extents.last?.upperBound == length, "\(length)")
      for (left, right) in zip(axis.extents, axis.extents.dropFirst()) {
        #expect(left.upperBound == right.lowerBound, "\(length)")
      }
      #expect(axis.extents.allSatisfy { !$0.isEmpty }, "\(length)")
      #expect(axis.count == axis.extents.count)
    }
  }

  @Test func `no cell exceeds the maximum cell length`() {
    for length in Self.lengths {
      let axis = GridAxis(decodedLength: length, sourceLength: length, scale: 1)
      #expect(axis.extents.allSatisfy { $0.count <= axis.maximumCellLength }, "\(length)")
      #expect(axis.maximumCellLength <= length / axis.count + 2)
    }
  }

  @Test func `an axis has at most 128 cells, whose sizes differ by at most 2 pixels`() {
    for length in Self.lengths {
      let sizes = GridAxis(decodedLength: length, sourceLength: length, scale: 1).extents.map(
        \.count)
      #expect(sizes.count <= 128, "\(length)")
      #expect(sizes.count >= min(length, 127), "\(length)")
      #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 2, "\(length)")
    }
  }

  @Test func `the cells of an axis are symmetric`() {
    for length in Self.lengths {
      let extents = GridAxis(decodedLength: length, sourceLength: length, scale: 1).extents
      let mirrored = extents.reversed().map { length - $0.upperBound..<length - $0.lowerBound }
      #expect(extents == mirrored, "\(length)")
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

  @Test func `every decoded index maps to its cell`() {
    for length in [1, 2, 127, 128, 129, 300, 1000] {
      let axis = GridAxis(decodedLength: length, sourceLength: length, scale: 1)
      let cells = (0..<length).map { index in axis.extents.firstIndex { $0.contains(index) } }
      #expect(axis.cellOfIndex == cells, "\(length)")
    }
  }

  @Test(arguments: [1, 2, 3, 7, 127, 128], [1, 3, 16, 32, 200])
  func `the cell shares of each part sum to one`(cellCount: Int, partCount: Int) {
    let axis = GridAxis(decodedLength: cellCount, sourceLength: cellCount * 8 - 3, scale: 8)
    let all = AxisShare.all(of: axis.extents, partCount: partCount)
    for part in 0..<partCount {
      let shares = all.filter { $0.part == part }.map(\.share)
      #expect(abs(shares.reduce(0, +) - 1) < 1e-5)
    }
    #expect(Set(all.map(\.cell)).count == cellCount)
  }

  @Test func `a cell across a part boundary contributes to both parts`() {
    #expect(
      AxisShare.all(of: [0..<1, 1..<4], partCount: 2) == [
        AxisShare(cell: 0, part: 0, share: 0.5), AxisShare(cell: 1, part: 0, share: 0.5),
        AxisShare(cell: 1, part: 1, share: 1),
      ])
  }
}
