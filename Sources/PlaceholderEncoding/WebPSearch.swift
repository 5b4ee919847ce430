#if WebP

internal import Placeholders

/// A search for the WebP file of limited size that is closest to an image.
struct WebPSearch {
  /// A file that fits the capacity.
  struct Candidate {
    let bytes: [UInt8]
    let width: Int
    let height: Int
    let hasAlpha: Bool
    /// The quantizer; 0 (the finest) for a lossless file.
    let quantizer: Int

    fileprivate init(_ bytes: [UInt8], of bitmap: RGBABitmap, quantizer: Int) {
      self.bytes = bytes
      (width, height, hasAlpha) = (bitmap.width, bitmap.height, !bitmap.isOpaque)
      self.quantizer = quantizer
    }
  }

  /// The lengths to try for the long side, in pixels.
  private static let sides = [1, 2, 4, 8, 12, 16, 24, 32, 40, 48, PreviewImage.maximumSide]
  /// The minimum capacity per distinct color, in bytes, at which a lossless file is tried.
  private static let losslessBytesPerColor = 4
  /// The alpha qualities to try, which preserve 14 and 4 levels of alpha.
  private static let alphaQualities = [60, 10]
  /// The first quantizer to try, at which the median photo fits the capacity.
  private static let typicalQuantizer = 56
  /// The maximum number of files to encode per size and alpha quality.
  private static let maximumTryCount = 5
  /// The assumed increase in the logarithm of the file size per decrement of the quantizer, until two sizes are known.
  private static let typicalSlope: Double = 0.021
  /// The range of quantizers outside of which a neighboring size may be closer to the image.
  private static let moderateQuantizers = 16...88

  private let grid: PixelGrid
  private let capacity: Int
  /// The distance to the image, prepared when the first two files are compared.
  private lazy var target = PictureDistance(to: grid)

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - grid: The image.
  ///   - capacity: The maximum size of the file in bytes.
  init(_ grid: PixelGrid, capacity: Int) {
    self.grid = grid
    self.capacity = capacity
  }

  /// Finds the file that is closest to the image; nil if an allocation fails.
  ///
  /// The search starts with the size that suits most photos and continues with smaller sizes until a file fits. If the
  /// quantizer of that file is extreme, neighboring sizes are tried as long as each file is closer to the image than
  /// the previous one.
  mutating func closest() -> Candidate? {
    let longSide = max(grid.sourceWidth, grid.sourceHeight)
    let sides = Self.sides.filter { $0 <= longSide }
    let typical = sides.lastIndex { $0 <= typicalSide } ?? 0
    var index = typical
    var found = candidate(longSide: sides[index])
    while found == nil, index > 0 {
      index -= 1
      found = candidate(longSide: sides[index])
    }
    guard var best = found else { return nil }
    let isFine = best.quantizer < Self.moderateQuantizers.lowerBound && index == typical
    guard isFine || best.quantizer > Self.moderateQuantizers.upperBound else { return best }
    let step = isFine ? 1 : -1
    while sides.indices.contains(index + step) {
      index += step
      guard let next = candidate(longSide: sides[index]), isCloser(next, than: best) else { break }
      best = next
    }
    return best
  }

  /// The length of the long side, in pixels, at which the quantizer of most photos is neither fine nor coarse.
  private var typicalSide: Int {
    // Alpha, its chunk header and the extended header take about 96 bytes.
    let capacity = grid.isOpaque ? capacity : capacity - 96
    switch capacity {
    case 250...: return 48
    case 180...: return 40
    case 150...: return 32
    case 100...: return 24
    default: return 16
    }
  }

  /// Finds the closest file with the given long side; nil if no file fits or an allocation fails.
  private mutating func candidate(longSide: Int) -> Candidate? {
    let bitmap = grid.bitmap(longSide: longSide)
    let hasFewColors = bitmap.hasFewColors(upTo: capacity / Self.losslessBytesPerColor)
    let lossless = hasFewColors ? lossless(bitmap) : nil
    let lossy = lossy(bitmap)
    guard let lossless, let lossy else { return lossless ?? lossy }
    return isCloser(lossy, than: lossless) ? lossy : lossless
  }

  private func lossless(_ bitmap: RGBABitmap) -> Candidate? {
    guard let writer = WebPWriter(bitmap, capacity: capacity, isLossless: true),
      let bytes = writer.file(quantizer: 0, alphaQuality: 100)?.bytes
    else { return nil }
    return Candidate(bytes, of: bitmap, quantizer: 0)
  }

  private mutating func lossy(_ bitmap: RGBABitmap) -> Candidate? {
    guard let writer = WebPWriter(bitmap, capacity: capacity, isLossless: false) else {
      return nil
    }
    var best: Candidate?
    for alphaQuality in bitmap.isOpaque ? [100] : Self.alphaQualities {
      guard let file = finestFile(of: writer, alphaQuality: alphaQuality) else { continue }
      let next = Candidate(file.bytes, of: bitmap, quantizer: file.quantizer)
      if let other = best { best = isCloser(next, than: other) ? next : other } else { best = next }
      // Fewer levels of alpha would hardly improve the colors.
      if file.quantizer <= Self.typicalQuantizer { break }
    }
    return best
  }

  /// Returns whether one file is closer to the image than another; false if an allocation fails.
  private mutating func isCloser(_ one: Candidate, than other: Candidate) -> Bool {
    guard let decoded = one.decoded, let otherDecoded = other.decoded else { return false }
    return target.distance(of: decoded) < target.distance(of: otherDecoded)
  }

  /// Finds a file that fits, with about the finest possible quantizer; nil if no file fits or an allocation fails.
  ///
  /// The search interpolates, because the logarithm of the file size is nearly linear in the quantizer.
  private func finestFile(
    of writer: borrowing WebPWriter, alphaQuality: Int
  ) -> (bytes: [UInt8], quantizer: Int)? {
    let range = WebPWriter.quantizers
    var best: (bytes: [UInt8], quantizer: Int)?
    // The finest quantizer that fits is in this range.
    var (finest, coarsest) = (range.lowerBound, range.upperBound)
    var (quantizer, slope) = (Self.typicalQuantizer, Self.typicalSlope)
    var previous: (quantizer: Int, logarithm: Double)?
    for _ in 0..<Self.maximumTryCount {
      guard let file = writer.file(quantizer: quantizer, alphaQuality: alphaQuality) else {
        return nil
      }
      if let bytes = file.bytes {
        best = (bytes, quantizer)
        coarsest = quantizer - 1
      } else {
        finest = quantizer + 1
      }
      guard finest <= coarsest else { break }
      let logarithm = PortableMath.logarithm(Double(file.byteCount))
      let excess = logarithm - PortableMath.logarithm(Double(capacity))
      // The next finer quantizer would exceed the capacity.
      if excess <= 0 && excess > -slope { break }
      if let previous, previous.quantizer != quantizer {
        let measured =
          (previous.logarithm - logarithm) / Double(quantizer - previous.quantizer)
        slope = min(max(measured, Self.typicalSlope / 4), Self.typicalSlope * 4)
      }
      previous = (quantizer, logarithm)
      let step = (excess / slope).rounded(.up)
      quantizer = min(max(quantizer + Int(step), finest), coarsest)
    }
    return best
  }
}

extension WebPSearch.Candidate {
  /// The decoded pixels; nil if an allocation fails.
  fileprivate var decoded: RGBABitmap? {
    RGBABitmap(webP: bytes, width: width, height: height)
  }
}

extension RGBABitmap {
  /// Returns whether the number of distinct colors, including alpha, is at most `limit`.
  fileprivate func hasFewColors(upTo limit: Int) -> Bool {
    var colors: Set<UInt32> = []
    for first in stride(from: 0, to: pixels.count, by: 4) {
      colors.insert((0..<4).reduce(0) { $0 << 8 | UInt32(pixels[first + $1]) })
      if colors.count > limit { return false }
    }
    return true
  }
}

#endif
