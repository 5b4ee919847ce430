#if WebP

internal import CPlaceholderCodecs
internal import Placeholders

/// A search for the WebP file of limited size that is closest to an image.
///
/// The distance of a preview is 2 % below that of Pillow's best WebP of 400 bytes, and 31 % below that of Telegram's JPEG
/// (`make bytes`).
struct WebPSearch {
  /// A file that fits the capacity.
  struct Candidate {
    let image: PreviewImage
    /// The quantizer; 0 (the finest) for a lossless file.
    let quantizer: Int
    let distance: Float

    /// Decodes a file to compare it with the image; nil if an allocation fails.
    fileprivate init?(
      _ bytes: [UInt8], of bitmap: RGBABitmap, quantizer: Int, target: PictureDistance
    ) {
      guard let decoded = RGBABitmap(webP: bytes, width: bitmap.width, height: bitmap.height)
      else { return nil }
      image = PreviewImage(bytes, .webp, of: bitmap)
      self.quantizer = quantizer
      distance = target.distance(of: decoded)
    }
  }

  /// The lengths to try for the long side, in pixels.
  private static let sides = [1, 2, 4, 8, 12, 16, 24, 32, 48, 64]
  /// The minimum capacity per distinct color, in bytes, at which a lossless file is tried.
  private static let losslessBytesPerColor = 4
  /// The alpha qualities to try, which preserve 14 and 4 levels of alpha.
  private static let alphaQualities = [60, 10]
  /// The number of pixels per byte of the capacity at which the search starts.
  private static let pixelsPerByte: Double = 6
  /// The first quantizer to try, which suits most images.
  private static let typicalQuantizer = 56
  /// The assumed increase of the quantizer, at an equal file size, per unit of the logarithm of the side.
  private static let quantizersPerLogarithm: Double = 60
  /// The maximum number of files to encode per size and alpha quality.
  private static let maximumTryCount = 6
  /// The maximum estimated distance of a neighboring size, relative to the closest file, at which the size is tried.
  private static let distanceTolerance: Float = 1.03
  /// The assumed increase in the logarithm of the file size per decrement of the quantizer, until two sizes are known.
  private static let typicalSlope: Double = 0.019

  /// The maximum number of pixels of a bitmap whose smallest lossless file is tried.
  private static let smallestPixelCount = 4096

  private let grid: PixelGrid
  private let capacity: Int
  private let target: PictureDistance

  init(_ grid: PixelGrid, capacity: Int) {
    self.grid = grid
    self.capacity = capacity
    target = PictureDistance(to: grid)
  }

  /// Finds the file that is closest to the image; nil if an allocation fails.
  ///
  /// If each cell is a pixel and the lossless file of the image fits, that is the file. Otherwise, the search starts with a
  /// size that suits most images, or the next smaller one at which a file fits. It continues with smaller or larger sizes
  /// as long as each file is closer to the image than the previous one.
  func closest() -> Candidate? {
    if grid.hasPixelCells, let file = Self.identical(pixelBitmap, capacity: capacity) {
      return Candidate(file, of: pixelBitmap, quantizer: 0, target: target)
    }
    let longSide = max(grid.sourceWidth, grid.sourceHeight)
    let sides = Self.sides.filter { $0 <= longSide }
    var start = sides.lastIndex { $0 <= typicalSide } ?? 0
    var first = candidate(longSide: sides[start])
    while first == nil, start > 0 {
      start -= 1
      first = candidate(longSide: sides[start])
    }
    guard let first else { return nil }
    let (smaller, larger) = (Array(sides[..<start].reversed()), Array(sides[(start + 1)...]))
    let isCoarse = first.quantizer > Self.typicalQuantizer
    for sides in isCoarse ? [smaller, larger] : [larger, smaller] {
      let best = closest(after: first, in: sides)
      if best.distance < first.distance { return best }
    }
    return first
  }

  /// The image at its own size.
  private var pixelBitmap: RGBABitmap {
    grid.bitmap(longSide: max(grid.sourceWidth, grid.sourceHeight))
  }

  /// Returns a lossless file of a bitmap; nil if no file fits or an allocation fails.
  ///
  /// The smallest file takes milliseconds, so it is tried only for few pixels, and if an ordinary file nearly fits.
  static func identical(_ bitmap: RGBABitmap, capacity: Int) -> [UInt8]? {
    guard let file = losslessFile(bitmap, .LQIP_LOSSLESS, capacity) else { return nil }
    let mayFit =
      file.byteCount <= capacity * 3 / 2 && bitmap.width * bitmap.height <= smallestPixelCount
    if let bytes = file.bytes { return bytes }
    return mayFit ? losslessFile(bitmap, .LQIP_SMALLEST_LOSSLESS, capacity)?.bytes : nil
  }

  private static func losslessFile(
    _ bitmap: RGBABitmap, _ coding: lqip_webp_coding, _ capacity: Int
  ) -> (byteCount: Int, bytes: [UInt8]?)? {
    WebPWriter(bitmap, capacity: capacity, coding)?.file(quantizer: 0, alphaQuality: 100)
  }

  /// Finds the last file of a series that is closer to the image than the previous one.
  private func closest(after first: Candidate, in sides: [Int]) -> Candidate {
    var best = first
    for side in sides {
      guard let next = candidate(longSide: side, after: best), next.distance < best.distance
      else { break }
      best = next
    }
    return best
  }

  /// The length of the long side, in pixels, that suits most images.
  private var typicalSide: Int {
    // Alpha, its chunk header and the extended header take about 96 bytes.
    let byteCount = grid.isOpaque ? capacity : max(capacity - 96, capacity / 2)
    let (width, height) = (Double(grid.sourceWidth), Double(grid.sourceHeight))
    let aspect = max(width, height) / min(width, height)
    return Int((Double(byteCount) * Self.pixelsPerByte * aspect).squareRoot())
  }

  /// Finds the closest file with the given long side; nil if no file fits or an allocation fails.
  ///
  /// The quantizer of a file of a similar size, `neighbor`, saves some tries.
  private func candidate(longSide: Int, after neighbor: Candidate? = nil) -> Candidate? {
    let bitmap = grid.bitmap(longSide: longSide)
    let hasFewColors = bitmap.hasFewColors(upTo: capacity / Self.losslessBytesPerColor)
    let lossless = hasFewColors ? lossless(bitmap) : nil
    let lossy = lossy(bitmap, after: neighbor)
    guard let lossless, let lossy else { return lossless ?? lossy }
    return lossy.distance < lossless.distance ? lossy : lossless
  }

  private func lossless(_ bitmap: RGBABitmap) -> Candidate? {
    guard let bytes = Self.losslessFile(bitmap, .LQIP_LOSSLESS, capacity)?.bytes else { return nil }
    return Candidate(bytes, of: bitmap, quantizer: 0, target: target)
  }

  private func lossy(_ bitmap: RGBABitmap, after neighbor: Candidate?) -> Candidate? {
    // The first file of a size is compared with a neighbor even if it is too large.
    guard let writer = WebPWriter(bitmap, capacity: capacity * 2, .LQIP_LOSSY) else {
      return nil
    }
    var best: Candidate?
    for alphaQuality in bitmap.isOpaque ? [100] : Self.alphaQualities {
      guard
        let file = finestFile(
          of: writer, bitmap, alphaQuality: alphaQuality, after: neighbor),
        let next = Candidate(file.bytes, of: bitmap, quantizer: file.quantizer, target: target)
      else { continue }
      if next.distance < best?.distance ?? .infinity { best = next }
      // Fewer levels of alpha would hardly improve the colors.
      if file.quantizer <= Self.typicalQuantizer { break }
    }
    return best
  }

  /// The quantizer at which a bitmap is assumed to fit the capacity.
  private func quantizer(of bitmap: RGBABitmap, after neighbor: Candidate?) -> Int {
    guard let neighbor else { return Self.typicalQuantizer }
    let side = max(bitmap.width, bitmap.height)
    let other = max(neighbor.image.width, neighbor.image.height)
    let growth = PortableMath.logarithm(Double(side) / Double(other))
    let quantizer = neighbor.quantizer + Int((growth * Self.quantizersPerLogarithm).rounded())
    return min(max(quantizer, WebPWriter.quantizers.lowerBound), WebPWriter.quantizers.upperBound)
  }

  /// Estimates whether a size is farther from the image than a neighbor, from the first file of the size.
  ///
  /// The distance is assumed to be inversely proportional to the square root of the file size.
  private func isFar(_ first: Candidate, comparedWith neighbor: Candidate) -> Bool {
    let estimate = first.distance * (Float(first.image.bytes.count) / Float(capacity)).squareRoot()
    return estimate > neighbor.distance * Self.distanceTolerance
  }

  /// Finds a file that fits, with about the finest possible quantizer.
  ///
  /// The search interpolates, because the logarithm of the file size is nearly linear in the quantizer.
  ///
  /// - Returns: The file; nil if no file fits, the size is far from the image, or an allocation fails.
  private func finestFile(
    of writer: borrowing WebPWriter, _ bitmap: RGBABitmap, alphaQuality: Int,
    after neighbor: Candidate?
  ) -> (bytes: [UInt8], quantizer: Int)? {
    let range = WebPWriter.quantizers
    var best: (bytes: [UInt8], quantizer: Int)?
    // The finest quantizer that fits is in this range.
    var (finest, coarsest) = (range.lowerBound, range.upperBound)
    var (quantizer, slope) = (quantizer(of: bitmap, after: neighbor), Self.typicalSlope)
    var previous: (quantizer: Int, logarithm: Double)?
    for _ in 0..<Self.maximumTryCount {
      guard let file = writer.file(quantizer: quantizer, alphaQuality: alphaQuality) else {
        return nil
      }
      if previous == nil, let neighbor, let bytes = file.bytes,
        let first = Candidate(bytes, of: bitmap, quantizer: quantizer, target: target),
        isFar(first, comparedWith: neighbor)
      {
        return nil
      }
      if let bytes = file.bytes, bytes.count <= capacity {
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
