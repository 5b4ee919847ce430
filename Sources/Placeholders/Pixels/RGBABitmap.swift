/// A bitmap of 8-bit samples: red, green and blue in encoded sRGB, and alpha.
public struct RGBABitmap: Sendable, Hashable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int

  /// Red, green, blue and alpha of each pixel; row-major, from the top left, without padding: 4 · width · height bytes.
  ///
  /// The colors are not multiplied by alpha.
  public let pixels: [UInt8]

  /// Creates a bitmap from samples in the order of ``pixels``.
  ///
  /// - Throws: ``ImageSizeError`` if a side is not positive.
  /// - Precondition: The number of samples is 4 · `width` · `height`.
  public init(width: Int, height: Int, pixels: [UInt8]) throws(ImageSizeError) {
    try ImageSizeError.check(width: width, height: height)
    self.init(width: width, height: height, unchecked: pixels)
  }

  /// Creates a bitmap with sides that are known to be positive.
  package init(width: Int, height: Int, unchecked pixels: [UInt8]) {
    precondition(width > 0 && height > 0, "both sides must be at least 1")
    precondition(pixels.count == width * height * 4, "expected four samples per pixel")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Whether the alpha of every pixel is 255.
  ///
  /// - Complexity: O(pixels).
  public var isOpaque: Bool {
    stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == .max }
  }
}

extension RGBABitmap: CustomStringConvertible {
  /// The size, without the samples.
  public var description: String { "RGBABitmap of \(width)x\(height) pixels" }
}

/// The error for an image size in which a side is not positive.
public struct ImageSizeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int

  /// A one-line message.
  public var description: String {
    "invalid image size \(width)x\(height): both sides must be at least 1"
  }

  static func check(width: Int, height: Int) throws(ImageSizeError) {
    guard width > 0 && height > 0 else { throw ImageSizeError(width: width, height: height) }
  }
}

/// The samples of four adjacent pixels of a row, one lane per pixel.
struct PixelQuad {
  let red: SIMD4<UInt8>
  let green: SIMD4<UInt8>
  let blue: SIMD4<UInt8>
  var alpha = SIMD4<UInt8>(repeating: .max)

  /// Returns the number of quads that cover a row; the last quad may extend beyond the row.
  static func count(width: Int) -> Int { (width + 3) / 4 }

  /// Computes a value for each column of each quad, including columns beyond the width.
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
    // Adding 2^23 rounds to an integer, and moves it to the low bits of the result.
    let rounded = encoded * 255 + 0x1p23
    return unsafe SIMD4(truncatingIfNeeded: unsafeBitCast(rounded, to: SIMD4<UInt32>.self))
  }
}

extension RGBABitmap {
  /// Renders a bitmap row by row, four pixels at a time.
  ///
  /// `row` computes the values that the pixels of a row share. `quad` computes four pixels from these values; pixels
  /// beyond the width are dropped.
  @inline(__always)
  init<Row>(
    width: Int, height: Int, row: (_ y: Int) -> Row, quad: (_ row: Row, _ quad: Int) -> PixelQuad
  ) {
    let pixelCount = width * height
    // The next row overwrites pixels beyond the width; the capacity includes those of the last row.
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: (pixelCount + 3) * 4) {
      pixels, count in
      for y in 0..<height {
        let row = row(y)
        for index in 0..<PixelQuad.count(width: width) {
          let quad = quad(row, index)
          for lane in 0..<4 {
            let first = (y &* width &+ 4 &* index &+ lane) &* 4
            unsafe pixels[first] = quad.red[lane]
            unsafe pixels[first &+ 1] = quad.green[lane]
            unsafe pixels[first &+ 2] = quad.blue[lane]
            unsafe pixels[first &+ 3] = quad.alpha[lane]
          }
        }
      }
      count = pixelCount * 4
    }
    self.init(width: width, height: height, unchecked: pixels)
  }
}
