extension Bitmap {
  /// Draws a picture by rows, four pixels at a time.
  ///
  /// - Parameters:
  ///   - width: Pixels across.
  ///   - height: Pixels down.
  ///   - hasAlpha: Whether the alpha of the pixels is kept.
  ///   - row: Computes what depends on the row alone.
  ///   - quad: Computes four pixels from that; those beyond the row are dropped.
  @inline(__always)
  init<Row>(
    width: Int, height: Int, hasAlpha: Bool = false, row: (_ y: Int) -> Row,
    quad: (_ row: Row, _ quad: Int) -> PixelQuad
  ) {
    precondition(width > 0 && height > 0, "a bitmap has at least one pixel")
    let pixelCount = width * height
    // The next row overwrites the pixels beyond a row; there is room for those of the last one.
    let capacity = pixelCount + 3
    var alphas: [UInt8] = []
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: capacity * 3) { samples, count in
      alphas = unsafe [UInt8](
        unsafeUninitializedCapacity: hasAlpha ? capacity : 0
      ) { alphas, alphaCount in
        for y in 0..<height {
          let row = row(y)
          for index in 0..<PixelQuad.count(width: width) {
            let pixels = quad(row, index)
            for lane in 0..<4 {
              let pixel = y &* width &+ 4 &* index &+ lane
              unsafe samples[3 &* pixel] = pixels.red[lane]
              unsafe samples[3 &* pixel &+ 1] = pixels.green[lane]
              unsafe samples[3 &* pixel &+ 2] = pixels.blue[lane]
              if hasAlpha { unsafe alphas[pixel] = pixels.alpha[lane] }
            }
          }
        }
        alphaCount = hasAlpha ? pixelCount : 0
      }
      count = pixelCount * 3
    }
    self.init(width: width, height: height, samples: samples, alphas: alphas)
  }
}
