/// Which 8-bit samples make up a pixel of a decoded row.
enum SampleLayout: Sendable {
  case gray
  case grayAlpha
  case rgb
  case rgba
  case cmyk

  /// Samples a pixel.
  var count: Int {
    switch self {
    case .gray: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba, .cmyk: 4
    }
  }

  var hasAlpha: Bool { self == .grayAlpha || self == .rgba }
}
