/// Which 8-bit sRGB samples make up a pixel in memory.
public enum PixelFormat: Sendable, Hashable {
  /// Red, green, blue.
  case rgb

  /// Red, green, blue and alpha, which the colors are not multiplied by.
  case rgba

  /// Samples a pixel, and bytes.
  public var sampleCount: Int { layout.count }

  var layout: SampleLayout {
    switch self {
    case .rgb: .rgb
    case .rgba: .rgba
    }
  }
}
