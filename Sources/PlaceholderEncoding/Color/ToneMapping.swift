internal import Placeholders

/// Converts rows of an HDR image to sRGB as Chromium shows it on a screen without HDR.
///
/// Light up to that of white is darkened, by half if the image reaches 1,000 cd/m². A curve compresses the light from there
/// to the largest of the image, and light above is clipped. All channels of a pixel are scaled by the factor of its largest
/// one in BT.2020, so hues stay. An image that does not exceed white is only clipped.
///
/// Source: SMPTE ST 2094-50, reference white tone mapping. Chromium 156 differs by at most 1/255.
struct ToneMapping: RowTransform {
  /// The luminance of white in cd/m².
  ///
  /// Source: ITU-R BT.2408, section 2.1.
  static let whiteLuminance = 203.0

  /// The maximum luminance in cd/m² of an image that declares none, and that of the display of an HLG image.
  private static let usualLuminance = 1000.0

  /// The light of each sample.
  private let light: [Float]
  private let isHLG: Bool
  private let matrix: ColorMatrix
  private let layout: SampleLayout
  /// The light that becomes white, and the light of white after the conversion.
  private let largest: Float
  private let white: Float

  /// Creates a conversion from light with the given transfer function and matrix to linear sRGB.
  init(
    _ transfer: TransferFunction, matrix: ColorMatrix, layout: SampleLayout,
    maximumLuminance: Double
  ) {
    let luminance = maximumLuminance > 0 ? maximumLuminance : Self.usualLuminance
    let headroom = max(0, PortableMath.logarithm(luminance / Self.whiteLuminance))
    let usualHeadroom = PortableMath.logarithm(Self.usualLuminance / Self.whiteLuminance)
    largest = Float(luminance / Self.whiteLuminance)
    white = Float(1 - 0.5 * min(headroom / usualHeadroom, 1))
    light = (0...255).map { Float(transfer.linear(Double($0) / 255)) }
    isHLG = transfer == .hlg
    self.matrix = matrix
    self.layout = layout
  }

  func convert(_ input: [UInt8], into output: inout [UInt8], pixelCount: Int) {
    let size = layout.count
    let colorCount = size < 3 ? 1 : 3
    for start in stride(from: 0, to: pixelCount * size, by: size) {
      let (red, green, blue) = (start, start + colorCount / 2, start + colorCount - 1)
      let color = SRGB.samples(
        ofLinear: mapped(
          SIMD3(light[Int(input[red])], light[Int(input[green])], light[Int(input[blue])])))
      for channel in 0..<colorCount { output[start + channel] = color[channel] }
      if layout.hasAlpha { output[start + colorCount] = input[start + colorCount] }
    }
  }

  private func mapped(_ light: SIMD3<Float>) -> SIMD3<Float> {
    var color = matrix.unclamped(light)
    // Source: ITU-R BT.2100, table 5, OOTF.
    if isHLG {
      let luminance = Double(max(0, (color * SIMD3(0.2126, 0.7152, 0.0722)).sum()))
      color *= Float(
        PortableMath.power(luminance, 0.2) * Self.usualLuminance / Self.whiteLuminance)
    }
    guard largest > 1 else { return color }
    // Source: ITU-R BT.2087, table 4, from BT.709 to BT.2020.
    let peak = max(
      (color * SIMD3(0.6274, 0.3293, 0.0433)).sum(), (color * SIMD3(0.0691, 0.9195, 0.0114)).sum(),
      (color * SIMD3(0.0164, 0.0880, 0.8956)).sum())
    return peak > 0 ? color * (compressed(peak) / peak) : color
  }

  /// Returns the sRGB light, in 0...1, for light of which white is 1.
  ///
  /// The curve above white is a quadratic Bézier curve from there to the largest light at 1. Its middle point is at 0.65
  /// on the way from the knee to where the line of the knee reaches 1.
  private func compressed(_ light: Float) -> Float {
    guard light > 1 else { return light * white }
    guard light < largest else { return 1 }
    let middle = SIMD2(1, white) + 0.65 * SIMD2(1 / white - 1, 1 - white)
    let (square, slope) = (1 - 2 * middle.x + largest, 2 * (middle.x - 1))
    let time = ((slope * slope + 4 * square * (light - 1)).squareRoot() - slope) / (2 * square)
    return white + 2 * (middle.y - white) * time + (white - 2 * middle.y + 1) * time * time
  }
}
