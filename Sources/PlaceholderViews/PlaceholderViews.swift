#if canImport(SwiftUI)
import Foundation
public import Placeholders
public import SwiftUI
#if canImport(UIKit)
public import UIKit

extension UIImage {
  /// Decodes a BlurHash, as woltapp's decoder does, to at most 128 pixels on each side; nil if it is malformed.
  public convenience init?(blurHash: String, size: CGSize, punch: Float = 1) {
    guard let image = CGImage.decode(blurHash, size: size, punch: punch) else { return nil }
    self.init(cgImage: image)
  }
}
#endif

/// A placeholder that a view can draw.
public enum PlaceholderValue: Sendable, Hashable {
  /// A BlurHash.
  case blurHash(BlurHash)
  /// A ThumbHash, the only one of these kinds with transparency.
  case thumbHash(ThumbHash)
  /// Three or six colors.
  case lqip(LQIP)
  /// A tiny JPEG.
  case tiny(TinyJPEG)
  /// A CSS integer.
  case css(CSSInteger)

  /// Parses the value of the field `blurhash`, `thumbhash`, `lqip`, `tiny` or `css` of a record; nil if it is malformed.
  public init?(field: String, _ text: String) {
    let value: Self? =
      switch field {
      case "blurhash": BlurHash(text).map(Self.blurHash)
      case "thumbhash": ThumbHash(text).map(Self.thumbHash)
      case "lqip": LQIP(text).map(Self.lqip)
      case "tiny": TinyJPEG(text).map(Self.tiny)
      case "css": CSSInteger(text).map(Self.css)
      default: nil
      }
    guard let value else { return nil }
    self = value
  }

  /// Renders a bitmap, which a view enlarges smoothly.
  var bitmap: RGBABitmap? {
    switch self {
    case .blurHash(let hash): try? hash.bitmap(width: 32, height: 32)
    case .thumbHash(let hash): try? hash.bitmap(width: 32, height: 32)
    case .lqip(let lqip): try? lqip.bitmap(width: 32, height: 32)
    case .tiny(let jpeg): try? jpeg.bitmap(width: 32, height: 32)
    case .css(let integer): try? integer.bitmap(width: 32, height: 32)
    }
  }
}

/// Draws a placeholder; it fills its frame, and VoiceOver ignores it.
public struct PlaceholderView: View {
  private let image: Image?
  /// Decodes the placeholder at once: this takes less than a frame, and a placeholder that comes later flashes.
  public init(_ value: PlaceholderValue) {
    image = value.bitmap.flatMap(CGImage.placeholder).map { Image(decorative: $0, scale: 1) }
  }

  /// The enlarged bitmap.
  public var body: some View {
    image?.resizable().interpolation(.high).accessibilityHidden(true)
  }
}

/// Draws an LQIP with gradients instead of a bitmap; it fills its frame, and VoiceOver ignores it.
public struct LQIPView: View {
  private let lqip: LQIP
  /// Creates a view of three or six colors.
  public init(_ lqip: LQIP) { self.lqip = lqip }

  /// The gradients.
  public var body: some View {
    Canvas(opaque: true) { context, size in
      let colors = lqip.colors.map {
        Color(.sRGB, red: Double($0.x), green: Double($0.y), blue: Double($0.z))
      }
      context.fill(Path(CGRect(origin: .zero, size: size)), with: .color(colors[0]))
      for (gradient, color) in zip(lqip.gradients, colors.dropFirst()) {
        // `Color.clear` is black, and would darken the edge.
        let stops = LQIPGradient.stops.enumerated().map { index, opacity in
          Gradient.Stop(color: color.opacity(Double(opacity)), location: Double(index) / 10)
        }
        // A circle of radius 1, moved and stretched: SwiftUI has no gradient with two radii.
        var circle = context
        let (center, radius) = (gradient.center, gradient.radius)
        circle.translateBy(x: Double(center.x) * size.width, y: Double(center.y) * size.height)
        circle.scaleBy(x: Double(radius.x) * size.width, y: Double(radius.y) * size.height)
        circle.fill(
          Path(CGRect(x: -1, y: -1, width: 2, height: 2)),
          with: .radialGradient(
            Gradient(stops: stops), center: .zero, startRadius: 0, endRadius: 1))
      }
    }
    .clipped()
    .accessibilityHidden(true)
  }
}

extension View {
  /// Reserves the box of an image, in its shape and at most its size, before it is loaded; the view fills the box.
  ///
  /// The sides of the image are clamped to 1...16,384.
  public func imageBox(width: Int, height: Int, maxWidth: Double, maxHeight: Double) -> some View {
    let box = ImageBox(width: width, height: height, maxWidth: maxWidth, maxHeight: maxHeight)
    return Color.clear
      .frame(maxWidth: box.width, maxHeight: box.height)
      .aspectRatio(box.width / box.height, contentMode: .fit)
      .overlay { self }
      .clipped()
  }
}

extension CGImage {
  /// Creates an image in sRGB; nil if memory is exhausted.
  public static func placeholder(_ bitmap: RGBABitmap) -> CGImage? {
    guard let space = CGColorSpace(name: CGColorSpace.sRGB),
      let provider = CGDataProvider(data: Data(bitmap.pixels) as CFData)
    else { return nil }
    let alpha: CGImageAlphaInfo = bitmap.isOpaque ? .noneSkipLast : .last
    return unsafe CGImage(
      width: bitmap.width, height: bitmap.height, bitsPerComponent: 8, bitsPerPixel: 32,
      bytesPerRow: 4 * bitmap.width, space: space,
      bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue), provider: provider, decode: nil,
      shouldInterpolate: true, intent: .defaultIntent)
  }

  /// Decodes a BlurHash of at most 128 pixels on each side.
  static func decode(_ blurHash: String, size: CGSize, punch: Float = 1) -> CGImage? {
    guard let hash = BlurHash(blurHash), size.width >= 1, size.height >= 1, punch > 0 else {
      return nil
    }
    let bitmap = try? hash.bitmap(
      width: Int(min(size.width, 128)), height: Int(min(size.height, 128)), punch: punch)
    return bitmap.flatMap(placeholder)
  }
}

extension Image {
  /// Decodes a BlurHash; nil if it is malformed, or if a side is below 1.
  public init?(blurHash: String, size: CGSize = CGSize(width: 32, height: 32)) {
    guard let image = CGImage.decode(blurHash, size: size) else { return nil }
    self.init(decorative: image, scale: 1)
  }
}
#endif
