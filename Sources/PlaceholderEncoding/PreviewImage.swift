public import Placeholders

/// A tiny image in a data URL, which needs neither a script nor a stylesheet.
///
/// ```swift
/// let grid = try ImageDecoder().decode(bytes).grid
/// let options = PreviewImage.Options(format: .jpeg, maximumByteCount: 600)
/// if let preview = PreviewImage(encoding: grid, options) {
///   print("<img src=\"\(preview.dataURL)\" width=\"640\" height=\"480\" alt=\"\">")
/// }
/// ```
public struct PreviewImage: Sendable, Hashable {
  /// The maximum length of the long side in pixels, of a flat image.
  package static let maximumSide = FlatPixels.maximumSide
  /// The lengths to try for the long side of a JPEG or PNG image, in pixels, longest first.
  private static let sides = [32, 28, 24, 20, 16, 12, 8, 4, 2, 1]
  /// The bit depths to try for a PNG file with alpha; at a lower depth, a larger image fits.
  private static let depths = [8, 5, 4]

  /// The requested format of a preview image.
  @nonexhaustive
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// WebP, encoded by libwebp; ``jpeg`` if libwebp is unavailable.
    case webp
    /// JPEG, encoded by libjpeg; PNG if the image has transparent pixels or no JPEG file fits.
    case jpeg

    /// This format, or ``jpeg`` if this process cannot write WebP.
    package var available: Format {
      self == .webp && CodecLibrary.libwebp.version == nil ? .jpeg : self
    }
  }

  /// Options for a preview image.
  public struct Options: Sendable, Hashable {
    /// The default maximum length of a data URL, in bytes.
    public static let defaultByteCount: Int = 400
    /// The minimum value of ``maximumByteCount``, in bytes: enough for one pixel of any color.
    public static let minimumByteCount: Int = 128

    /// The format of the image file.
    public var format: Format

    /// The maximum length of the data URL, in bytes; a lower value is raised to ``minimumByteCount``.
    public var maximumByteCount: Int {
      didSet { maximumByteCount = max(maximumByteCount, Self.minimumByteCount) }
    }

    /// Creates options for a preview image.
    ///
    /// - Parameters:
    ///   - format: The format of the image file.
    ///   - maximumByteCount: The maximum length of the data URL, in bytes; a lower value is raised to
    ///     ``minimumByteCount``.
    public init(format: Format = .webp, maximumByteCount: Int = Self.defaultByteCount) {
      self.format = format
      self.maximumByteCount = max(maximumByteCount, Self.minimumByteCount)
    }
  }

  /// The bytes of the image file.
  public let bytes: [UInt8]

  /// The format of the image file: WebP, JPEG or PNG.
  public let format: ImageFormat

  /// The width in pixels.
  public let width: Int

  /// The height in pixels.
  public let height: Int

  /// Whether the image has transparent pixels.
  public let hasAlpha: Bool

  /// The data URL of the image, for an HTML `src` attribute or a CSS `url()`.
  public var dataURL: String { format.dataURLPrefix + Base64.encode(bytes) }

  /// The data URL of an SVG that blurs the image and stretches it to fill the box of the SVG.
  ///
  /// Browsers scale the SVG smoothly without styles, and its edges do not fade into the background.
  public var svgDataURL: String {
    // Characters that URLs do not allow are escaped. Numbers and the embedded data URL contain no such characters.
    """
    data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 \(width) \(height)' \
    preserveAspectRatio='none'%3E%3Cfilter id='b' color-interpolation-filters='sRGB'%3E\
    %3CfeGaussianBlur stdDeviation='1'/%3E\(hasAlpha ? "" : Self.opaqueEdges)%3C/filter%3E\
    %3Cimage width='\(width)' height='\(height)' preserveAspectRatio='none' filter='url(%23b)' \
    href='\(dataURL)'/%3E%3C/svg%3E
    """
  }

  /// The filter that makes the blurred edges opaque.
  private static let opaqueEdges = """
    %3CfeComponentTransfer%3E%3CfeFuncA type='discrete' tableValues='1 1'/%3E\
    %3C/feComponentTransfer%3E
    """

  /// Creates a preview that fits the options; nil if an allocation fails.
  ///
  /// A WebP preview of an image of up to 48 pixels is the image itself if its lossless file fits. Otherwise, the preview has
  /// up to 64 pixels on its long side; its size and quality minimize the OKLab distance from the image, measured at 48
  /// cells per side and at coarser scales. A JPEG or PNG preview has the largest size that fits,
  /// up to 32 pixels on its long side.
  ///
  /// - Parameters:
  ///   - grid: The image.
  ///   - options: The format, and the maximum length of ``dataURL``.
  /// - Complexity: O(cells).
  public init?(encoding grid: PixelGrid, _ options: Options = Options()) {
    let byteCount = options.maximumByteCount
    #if WebP
    if options.format.available == .webp {
      let capacity = ImageFormat.webp.capacity(ofDataURL: byteCount)
      guard let file = WebPSearch(grid, capacity: capacity).closest() else { return nil }
      self = file.image
      return
    }
    #endif
    let longSide = max(grid.sourceWidth, grid.sourceHeight)
    let sides = Self.sides.lazy.filter { $0 <= longSide }
    guard
      let largest = sides.compactMap({ Self(grid.bitmap(longSide: $0), upTo: byteCount) }).first
    else { return nil }
    self = largest
  }

  /// Creates a preview of a decoded image, which is the image itself if that is small and flat and its lossless file fits.
  init?(encoding image: DecodedImage, _ options: Options) {
    #if WebP
    if options.format.available == .webp, let bitmap = image.flatBitmap,
      let file = WebPSearch.identical(
        bitmap, capacity: ImageFormat.webp.capacity(ofDataURL: options.maximumByteCount))
    {
      self.init(file, .webp, of: bitmap)
      return
    }
    #endif
    self.init(encoding: image.grid, options)
  }

  /// Creates a preview from its data URL; nil if the URL does not contain a valid image.
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

  /// Creates a preview by encoding a bitmap as JPEG or PNG; nil if the data URL would be too long.
  private init?(_ bitmap: RGBABitmap, upTo byteCount: Int) {
    let isOpaque = bitmap.isOpaque
    if isOpaque,
      let file = bitmap.jpegData(upTo: ImageFormat.jpeg.capacity(ofDataURL: byteCount))
    {
      self.init(file, .jpeg, of: bitmap)
      return
    }
    let capacity = ImageFormat.png.capacity(ofDataURL: byteCount)
    let files = (isOpaque ? [8] : Self.depths).lazy.compactMap {
      try? bitmap.rounded(toBits: $0).pngData(isSmall: true)
    }
    guard let file = files.first(where: { $0.count <= capacity }) else { return nil }
    self.init(file, .png, of: bitmap)
  }

  init(_ bytes: [UInt8], _ format: ImageFormat, of bitmap: RGBABitmap) {
    self.init(
      bytes: bytes, format: format, width: bitmap.width, height: bitmap.height,
      hasAlpha: !bitmap.isOpaque)
  }
}

extension PreviewImage: CustomStringConvertible {
  /// The format and the size, without the bytes.
  public var description: String {
    "PreviewImage of \(width)x\(height) pixels (\(format), \(bytes.count) bytes)"
  }
}

extension ImageFormat {
  /// Returns the maximum size of a file whose data URL has at most `byteCount` bytes.
  fileprivate func capacity(ofDataURL byteCount: Int) -> Int {
    (byteCount - dataURLPrefix.utf8.count) / 4 * 3
  }
}

extension RGBABitmap {
  /// Rounds all samples, including alpha, to 2^`bitCount` evenly spaced levels from 0 to 255.
  fileprivate func rounded(toBits bitCount: Int) -> RGBABitmap {
    guard bitCount < 8 else { return self }
    let steps = 1 << bitCount - 1
    func rounded(_ sample: UInt8) -> UInt8 {
      UInt8(((Int(sample) * steps + 127) / 255 * 255 + steps / 2) / steps)
    }
    return RGBABitmap(width: width, height: height, unchecked: pixels.map(rounded))
  }
}
