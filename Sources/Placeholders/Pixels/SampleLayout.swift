/// Which 8-bit samples make up a pixel of a decoded row.
package enum SampleLayout: Sendable {
  case gray
  case grayAlpha
  case rgb
  case rgba
  case cmyk

  /// Samples a pixel.
  package var count: Int {
    switch self {
    case .gray: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba, .cmyk: 4
    }
  }

  package var hasAlpha: Bool { self == .grayAlpha || self == .rgba }
}
