internal import Placeholders

extension Bitmap {
  /// Whether most pixels differ a lot from the pixels to the left and above, and most colors occur once.
  ///
  /// - Parameter limit: How much the samples may differ from these in all.
  /// - Returns: False for what a PNG file may hold in few bytes.
  func isRough(beyond limit: Int) -> Bool {
    differs(beyond: limit) && hasManyColors
  }

  private func differs(beyond limit: Int) -> Bool {
    let rowSize = width * 3
    let nothing = [UInt8](repeating: 0, count: rowSize)
    return unsafe samples.withUnsafeBufferPointer { samples in
      unsafe nothing.withUnsafeBufferPointer { nothing in
        var sum = 0
        for y in 0..<height where sum <= limit {
          let row = samples.extracting(y * rowSize..<(y + 1) * rowSize)
          let above =
            unsafe y > 0 ? samples.extracting((y - 1) * rowSize..<y * rowSize) : nothing
          let left =
            unsafe difference(row.extracting(3..<rowSize), row)
            + difference(row.extracting(..<3), nothing)
          sum += min(left, unsafe difference(row, above))
        }
        return sum > limit
      }
    }
  }

  /// How much some samples differ from as many others, of which there may be more.
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

  /// Whether there are more than half as many colors, without the first, as pixels.
  private var hasManyColors: Bool {
    let pixelCount = samples.count / 3
    // As long as the answer is open, it is at most half full.
    let bitCount = Int.bitWidth - (pixelCount | 1).leadingZeroBitCount
    var places = [UInt32](repeating: 0, count: 1 << bitCount)
    var colorCount = 0
    for first in stride(from: 0, to: samples.count, by: 3) {
      let (red, green) = (UInt32(samples[first]), UInt32(samples[first + 1]))
      // One more, as zero is for no color.
      let color = (red << 16 | green << 8 | UInt32(samples[first + 2])) + 1
      var place = Int((color &* 0x9e37_79b1) >> UInt32(32 - bitCount))
      while places[place] != 0 && places[place] != color {
        place = (place + 1) & (places.count - 1)
      }
      guard places[place] == 0 else { continue }
      places[place] = color
      colorCount += 1
      if (colorCount - 1) * 2 > pixelCount { return true }
    }
    return false
  }
}
