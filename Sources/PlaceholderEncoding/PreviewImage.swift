public import Placeholders

/// A tiny image in a data URL, which needs neither a script nor a stylesheet.
public struct PreviewImage: Sendable, Hashable {
  /// The candidates for the long side in pixels, longest first.
  private static let sides = [32, 28, 24, 20, 16, 12, 8, 4, 2, 1]
  /// The first side to try: the largest at which most photos fit the default length.
  private static let usualSide = 24
  /// The bits per sample to try for an image with alpha; fewer bits let a larger image fit.
  private static let depths = [8, 5, 4]

  /// Options for a preview image.
  public struct Options: Sendable, Hashable {
    /// The default length of a data URL, in bytes.
    public static let defaultByteCount: Int = 400
    /// The minimum length of a data URL, in bytes: one pixel of any color fits.
    public static let minimumByteCount: Int = 128

    /// The maximum length of the data URL, in bytes; at least ``minimumByteCount``.
    public var maximumByteCount: Int {
      didSet { maximumByteCount = max(maximumByteCount, Self.minimumByteCount) }
    }

    /// Creates options.
    ///
    /// - Parameter maximumByteCount: The maximum length of the data URL, raised to ``minimumByteCount``.
    public init(maximumByteCount: Int = Self.defaultByteCount) {
      self.maximumByteCount = max(maximumByteCount, Self.minimumByteCount)
    }
  }

  /// The image file.
  public let bytes: [UInt8]

  /// JPEG or PNG, whichever is smaller.
  public let format: ImageFormat

  /// The width in pixels.
  public let width: Int

  /// The height in pixels.
  public let height: Int

  /// Whether the image has transparent pixels.
  public let hasAlpha: Bool

  /// The data URL of the image, for `src` or `url()`.
  public var dataURL: String { format.dataURLPrefix + Base64.encode(bytes) }

  /// The data URL of an SVG that blurs the image and stretches it to its box.
  ///
  /// Browsers scale it smoothly without styles, and its edges do not fade into the background.
  public var svgDataURL: String {
    let (width, height) = ("\(width)", "\(height)")
    let parts = [
      Self.svgStart, width, " ", height, Self.svgFilter, hasAlpha ? "" : Self.svgOpacity,
      Self.svgImage, width, "' height='", height, Self.svgImageStyle, dataURL, Self.svgEnd,
    ]
    return parts.joined()
  }

  // Characters that URLs do not allow are escaped. Numbers and the embedded data URL contain no such characters.
  private static let svgStart =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 "
  private static let svgFilter =
    "' preserveAspectRatio='none'%3E%3Cfilter id='b' color-interpolation-filters='sRGB'%3E"
    + "%3CfeGaussianBlur stdDeviation='1'/%3E"
  /// A filter that makes the blurred edges opaque.
  private static let svgOpacity =
    "%3CfeComponentTransfer%3E%3CfeFuncA type='discrete' tableValues='1 1'/%3E"
    + "%3C/feComponentTransfer%3E"
  private static let svgImage = "%3C/filter%3E%3Cimage width='"
  private static let svgImageStyle = "' preserveAspectRatio='none' filter='url(%23b)' href='"
  private static let svgEnd = "'/%3E%3C/svg%3E"

  /// Creates the largest preview that fits the options, up to 32 pixels on its long side; nil if memory is short.
  ///
  /// The search starts at 24 pixels and goes up until a size does not fit, or down until a size fits.
  ///
  /// - Parameters:
  ///   - grid: The image.
  ///   - options: The maximum length of ``dataURL``.
  /// - Complexity: O(cells).
  public init?(encoding grid: PixelGrid, _ options: Options = Options()) {
    let byteCount = options.maximumByteCount
    let longSide = max(grid.sourceWidth, grid.sourceHeight)
    let sides = Self.sides.filter { $0 <= longSide || $0 == 1 }
    let usual = sides.firstIndex { $0 <= Self.usualSide } ?? 0
    func image(_ side: Int) -> Self? { Self(grid.bitmap(longSide: side), upTo: byteCount) }
    guard var best = image(sides[usual]) else {
      guard let smaller = sides[(usual + 1)...].lazy.compactMap(image).first else { return nil }
      self = smaller
      return
    }
    for side in sides[..<usual].reversed() {
      guard let larger = image(side) else { break }
      best = larger
    }
    self = best
  }

  /// Decodes a data URL; nil if it contains no image.
  init?(dataURL: String) {
    guard let comma = dataURL.firstIndex(of: ","),
      let bytes = Base64.decode(dataURL[dataURL.index(after: comma)...].utf8),
      let image = try? ImageDecoder(limits: .untrusted).decode(bytes),
      dataURL.hasPrefix(image.format.dataURLPrefix)
    else { return nil }
    self.init(
      bytes: bytes, format: image.format, width: image.grid.sourceWidth,
      height: image.grid.sourceHeight, hasAlpha: !image.grid.isOpaque)
  }

  /// Creates a preview from an image file that another process has encoded.
  package init(bytes: [UInt8], format: ImageFormat, width: Int, height: Int, hasAlpha: Bool) {
    self.bytes = bytes
    self.format = format
    self.width = width
    self.height = height
    self.hasAlpha = hasAlpha
  }

  private init?(_ bitmap: RGBABitmap, upTo byteCount: Int) {
    func fits(_ bytes: [UInt8], _ format: ImageFormat) -> Bool {
      format.dataURLPrefix.utf8.count + (bytes.count + 2) / 3 * 4 <= byteCount
    }
    (width, height, hasAlpha) = (bitmap.width, bitmap.height, !bitmap.isOpaque)
    if hasAlpha {
      let files = Self.depths.lazy.compactMap {
        try? bitmap.rounded(toBits: $0).pngData(isSmall: true)
      }
      guard let file = files.first(where: { fits($0, .png) }) else { return nil }
      (bytes, format) = (file, .png)
      return
    }
    let jpeg = JPEGWriter.bytes(of: bitmap)
    // PNG is not tried if the JPEG is far too large or the image looks like a photo: the PNG would not be smaller.
    let triesPNG =
      min(jpeg.count, 3 * width * height) <= byteCount && !bitmap.isRough(beyond: 16 * jpeg.count)
    let png = triesPNG ? try? bitmap.pngData(isSmall: true) : nil
    if let png, fits(png, .png), png.count <= jpeg.count {
      (bytes, format) = (png, .png)
    } else if fits(jpeg, .jpeg) {
      (bytes, format) = (jpeg, .jpeg)
    } else {
      return nil
    }
  }
}

extension RGBABitmap {
  /// Rounds samples and alpha to fewer levels, which include 0 and 255.
  fileprivate func rounded(toBits bitCount: Int) -> RGBABitmap {
    guard bitCount < 8 else { return self }
    let steps = 1 << bitCount - 1
    func rounded(_ sample: UInt8) -> UInt8 {
      UInt8(((Int(sample) * steps + 127) / 255 * 255 + steps / 2) / steps)
    }
    return RGBABitmap(width: width, height: height, unchecked: pixels.map(rounded))
  }
}
