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
  func linearRow(_ y: Int) -> [SIMD3<Float>] {
    (0..<width).map { x in
      let first = (y * width + x) * 3
      return SIMD3(
        SRGB.linear[Int(samples[first])], SRGB.linear[Int(samples[first + 1])],
        SRGB.linear[Int(samples[first + 2])])
    }
  }
}
