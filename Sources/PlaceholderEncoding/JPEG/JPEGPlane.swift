internal import Placeholders

/// The samples of one component of an image, padded to blocks of 8×8 samples; zero is the middle of their range.
///
/// The padding repeats the last column and row of the image.
struct JPEGPlane {
  /// The number of blocks per row.
  let blockColumns: Int

  /// The number of rows of blocks.
  let blockRows: Int

  /// The samples, row-major.
  let samples: [Float]

  private init(width: Int, height: Int, sample: (_ x: Int, _ y: Int) -> Float) {
    let (blockColumns, blockRows) = ((width + 7) / 8, (height + 7) / 8)
    let length = blockColumns * 8
    samples = unsafe [Float](unsafeUninitializedCapacity: length * blockRows * 8) {
      samples, count in
      for y in 0..<blockRows * 8 {
        if y < height {
          for x in 0..<width { unsafe samples.initializeElement(at: count + x, to: sample(x, y)) }
          for x in width..<length {
            unsafe samples.initializeElement(at: count + x, to: samples[count + width - 1])
          }
        } else {
          for x in count..<count + length {
            unsafe samples.initializeElement(at: x, to: samples[x - length])
          }
        }
        count += length
      }
    }
    self.blockColumns = blockColumns
    self.blockRows = blockRows
  }

  /// Computes the luma of a bitmap, and Cb and Cr at half the resolution.
  ///
  /// Source: JFIF 1.02, "Conversion to and from RGB", in thousandths.
  static func planes(of bitmap: RGBABitmap) -> (luma: JPEGPlane, cb: JPEGPlane, cr: JPEGPlane) {
    let (width, height) = (bitmap.width, bitmap.height)
    return unsafe bitmap.pixels.withUnsafeBufferPointer { samples in
      @inline(__always)
      func index(_ x: Int, _ y: Int) -> Int { (y &* width &+ x) &* 4 }
      @inline(__always)
      func sample(_ index: Int) -> Int32 { unsafe Int32(samples[index]) }
      @inline(__always)
      func chroma(red: Int32, green: Int32, blue: Int32) -> JPEGPlane {
        JPEGPlane(width: (width + 1) / 2, height: (height + 1) / 2) { x, y in
          let (left, top) = (x &* 2, y &* 2)
          let (right, bottom) = (min(left &+ 1, width &- 1), min(top &+ 1, height &- 1))
          let first = (index(left, top), index(right, top))
          let second = (index(left, bottom), index(right, bottom))
          @inline(__always)
          func sum(_ channel: Int) -> Int32 {
            sample(first.0 &+ channel) &+ sample(first.1 &+ channel)
              &+ sample(second.0 &+ channel) &+ sample(second.1 &+ channel)
          }
          // Scaled so that the component's own channel alone reaches half of the range, averaged over four pixels.
          let scale = 0.5 / 4 / Float(max(red, blue))
          return scale * Float(sum(0) &* red &+ sum(1) &* green &+ sum(2) &* blue)
        }
      }
      return (
        JPEGPlane(width: width, height: height) { x, y in
          let first = index(x, y)
          let sum =
            sample(first) &* 299 &+ sample(first &+ 1) &* 587 &+ sample(first &+ 2) &* 114
          return Float(sum) * 0.001 - 128
        },
        chroma(red: -299, green: -587, blue: 886), chroma(red: 701, green: -587, blue: -114)
      )
    }
  }
}
