internal import Placeholders

extension RGBABitmap {
  /// Whether the samples differ from their neighbors and most colors are unique, so that a PNG file would be large.
  ///
  /// - Parameter limit: The sum of differences above which a bitmap is rough.
  /// - Returns: True if the differences both to the left and above exceed the limit, and most colors are unique.
  func isRough(beyond limit: Int) -> Bool {
    differs(beyond: limit) && hasManyColors
  }

  private func differs(beyond limit: Int) -> Bool {
    let rowSize = width * 3
    let zeros = [UInt8](repeating: 0, count: rowSize)
    return unsafe rgb.withUnsafeBufferPointer { samples in
      unsafe zeros.withUnsafeBufferPointer { zeros in
        var sum = 0
        for y in 0..<height where sum <= limit {
          let row = samples.extracting(y * rowSize..<(y + 1) * rowSize)
          let above =
            unsafe y > 0 ? samples.extracting((y - 1) * rowSize..<y * rowSize) : zeros
          let left =
            unsafe difference(row.extracting(3..<rowSize), row)
            + difference(row.extracting(..<3), zeros)
          sum += min(left, unsafe difference(row, above))
        }
        return sum > limit
      }
    }
  }

  /// The sum of the absolute differences between samples and the first samples of another buffer.
  @inline(__always)
  private func difference(
    _ samples: UnsafeBufferPointer<UInt8>, _ others: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var sum: Int32 = 0
    for index in 0..<samples.count {
      unsafe sum &+= abs(Int32(samples[index]) &- Int32(others[index]))
    }
    return Int(sum)
  }

  /// Whether the number of colors after the first exceeds half the number of pixels.
  private var hasManyColors: Bool {
    let pixelCount = width * height
    // A hash table with linear probing. The loop returns before the table is more than about half full.
    let bitCount = Int.bitWidth - (pixelCount | 1).leadingZeroBitCount
    var slots = [UInt32](repeating: 0, count: 1 << bitCount)
    var colorCount = 0
    for first in stride(from: 0, to: pixels.count, by: 4) {
      let (red, green) = (UInt32(pixels[first]), UInt32(pixels[first + 1]))
      // Plus one, because zero marks an empty slot.
      let color = (red << 16 | green << 8 | UInt32(pixels[first + 2])) + 1
      var slot = Int((color &* 0x9e37_79b1) >> UInt32(32 - bitCount))
      while slots[slot] != 0 && slots[slot] != color {
        slot = (slot + 1) & (slots.count - 1)
      }
      guard slots[slot] == 0 else { continue }
      slots[slot] = color
      colorCount += 1
      if (colorCount - 1) * 2 > pixelCount { return true }
    }
    return false
  }
}
