/// Decoded pixels: 8-bit sRGB samples, and alpha where some are transparent.
public struct Bitmap: Sendable, Hashable {
  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int

  /// Red, green, blue a pixel; row-major, top-left first, without padding: `width * height * 3`.
  public let samples: [UInt8]

  /// The alpha of each pixel, which its samples are not multiplied by; empty if all are opaque.
  public let alphas: [UInt8]

  /// Takes samples in the order of ``samples``.
  ///
  /// - Precondition: Both sides are positive, the count of samples is `width * height * 3`, and that of
  ///   alphas `width * height` or zero.
  public init(width: Int, height: Int, samples: [UInt8], alphas: [UInt8] = []) {
    precondition(width > 0 && height > 0, "a bitmap has at least one pixel")
    precondition(samples.count == width * height * 3, "a bitmap has three samples a pixel")
    precondition(
      alphas.isEmpty || alphas.count == width * height, "a pixel has at most one alpha")
    self.width = width
    self.height = height
    self.samples = samples
    self.alphas = alphas
  }

  /// The samples of each pixel, and its alpha if there is any.
  package var interleaved: [UInt8] {
    guard !alphas.isEmpty else { return samples }
    return unsafe [UInt8](unsafeUninitializedCapacity: alphas.count * 4) { pixels, count in
      for index in alphas.indices {
        let (sample, pixel) = (index &* 3, index &* 4)
        unsafe pixels[pixel] = samples[sample]
        unsafe pixels[pixel &+ 1] = samples[sample &+ 1]
        unsafe pixels[pixel &+ 2] = samples[sample &+ 2]
        unsafe pixels[pixel &+ 3] = alphas[index]
      }
      count = alphas.count * 4
    }
  }

  /// The colors of a row, in linear light.
  func linearRow(_ y: Int) -> [SIMD4<Float>] {
    (0..<width).map { x in
      let first = (y * width + x) * 3
      return SIMD4(
        SRGB.linear[Int(samples[first])], SRGB.linear[Int(samples[first + 1])],
        SRGB.linear[Int(samples[first + 2])], 0)
    }
  }
}

/// The samples of four neighboring pixels of a row, a lane each.
struct PixelQuad {
  let red: SIMD4<UInt8>
  let green: SIMD4<UInt8>
  let blue: SIMD4<UInt8>
  var alpha = SIMD4<UInt8>(repeating: .max)

  /// The number of quads that cover a row; the last one may extend beyond it.
  static func count(width: Int) -> Int { (width + 3) / 4 }

  /// A value of each column, for one quad after the other.
  static func lanes<Value: SIMDScalar>(
    width: Int, _ value: (_ x: Int) -> Value
  ) -> [SIMD4<Value>] {
    (0..<count(width: width)).map { quad in
      SIMD4(value(4 * quad), value(4 * quad + 1), value(4 * quad + 2), value(4 * quad + 3))
    }
  }
}

extension PixelQuad {
  /// Rounds encoded channels in 0...1 to the nearest samples.
  @inline(__always)
  init(encodedRed red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
    self.init(red: Self.samples(red), green: Self.samples(green), blue: Self.samples(blue))
  }

  @inline(__always)
  private static func samples(_ encoded: SIMD4<Float>) -> SIMD4<UInt8> {
    // Adding 2^23 rounds to an integer, which is then in the low bits of the result.
    let rounded = encoded * 255 + 0x1p23
    return unsafe SIMD4(truncatingIfNeeded: unsafeBitCast(rounded, to: SIMD4<UInt32>.self))
  }
}

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
