public import Placeholders

/// A tiny image in a data URL: as a source or background, it needs neither script nor stylesheet.
public struct PreviewImage: Sendable, Hashable {
  /// The sides that are tried, longest first; those below 16 pixels only if nothing larger fits.
  private static let sides = [32, 28, 24, 20, 16, 12, 8, 4, 2, 1]
  /// The side that is tried first, as most photographs fit by default, and no larger.
  private static let usualSide = 24
  /// How many bits of a sample are kept where there is alpha, so that a larger image fits.
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

  /// The image's file.
  public let bytes: [UInt8]

  /// JPEG or PNG, whichever is smaller.
  public let format: ImageFormat

  /// Pixels across.
  public let width: Int

  /// Pixels down.
  public let height: Int

  /// Whether some of it is transparent.
  public let hasAlpha: Bool

  /// The image for `src` or `url()`.
  public var dataURL: String { format.dataURLPrefix + Base64.encode(bytes) }

  /// The image within an SVG that blurs it, stretched to whatever box it is put in.
  ///
  /// Browsers scale it smoothly without any style of the page, and its edges are not blurred with the
  /// background.
  public var svgDataURL: String {
    let (width, height) = ("\(width)", "\(height)")
    let parts = [
      Self.svgStart, width, " ", height, Self.svgFilter, hasAlpha ? "" : Self.svgOpacity,
      Self.svgImage, width, "' height='", height, Self.svgImageStyle, dataURL, Self.svgEnd,
    ]
    return parts.joined()
  }

  // What is not written in URLs is escaped; neither numbers nor data URLs have any of it.
  private static let svgStart =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 "
  private static let svgFilter =
    "' preserveAspectRatio='none'%3E%3Cfilter id='b' color-interpolation-filters='sRGB'%3E"
    + "%3CfeGaussianBlur stdDeviation='1'/%3E"
  /// Opaque again where the blur has let the background through.
  private static let svgOpacity =
    "%3CfeComponentTransfer%3E%3CfeFuncA type='discrete' tableValues='1 1'/%3E"
    + "%3C/feComponentTransfer%3E"
  private static let svgImage = "%3C/filter%3E%3Cimage width='"
  private static let svgImageStyle = "' preserveAspectRatio='none' filter='url(%23b)' href='"
  private static let svgEnd = "'/%3E%3C/svg%3E"

  /// Draws an image as large as the options allow, with up to 32 pixels on its long side; nil if memory is short.
  ///
  /// It grows from 24 pixels until the next size does not fit, or shrinks until one does.
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

  /// Reads the image in a data URL; nil if that contains no image.
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

  /// Takes an image that another process has drawn.
  package init(bytes: [UInt8], format: ImageFormat, width: Int, height: Int, hasAlpha: Bool) {
    self.bytes = bytes
    self.format = format
    self.width = width
    self.height = height
    self.hasAlpha = hasAlpha
  }

  private init?(_ bitmap: Bitmap, upTo byteCount: Int) {
    func fits(_ bytes: [UInt8], _ format: ImageFormat) -> Bool {
      format.dataURLPrefix.utf8.count + (bytes.count + 2) / 3 * 4 <= byteCount
    }
    (width, height, hasAlpha) = (bitmap.width, bitmap.height, !bitmap.alphas.isEmpty)
    if hasAlpha {
      let files = Self.depths.lazy.compactMap {
        try? bitmap.rounded(toBits: $0).pngData(isSmall: true)
      }
      guard let file = files.first(where: { fits($0, .png) }) else { return nil }
      (bytes, format) = (file, .png)
      return
    }
    let jpeg = JPEGWriter.bytes(of: bitmap)
    // What is far too large as JPEG would not be small as PNG, and neither would a photograph.
    let isTried =
      min(jpeg.count, bitmap.samples.count) <= byteCount && !bitmap.isRough(beyond: 16 * jpeg.count)
    let png = isTried ? try? bitmap.pngData(isSmall: true) : nil
    if let png, fits(png, .png), png.count <= jpeg.count {
      (bytes, format) = (png, .png)
    } else if fits(jpeg, .jpeg) {
      (bytes, format) = (jpeg, .jpeg)
    } else {
      return nil
    }
  }
}

extension Bitmap {
  /// The same with fewer different samples, black and white among them.
  fileprivate func rounded(toBits bitCount: Int) -> Bitmap {
    guard bitCount < 8 else { return self }
    let steps = 1 << bitCount - 1
    func rounded(_ sample: UInt8) -> UInt8 {
      UInt8(((Int(sample) * steps + 127) / 255 * 255 + steps / 2) / steps)
    }
    return Bitmap(
      width: width, height: height, samples: samples.map(rounded), alphas: alphas.map(rounded))
  }
}
