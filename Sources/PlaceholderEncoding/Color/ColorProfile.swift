private import CPlaceholderLCMS
internal import Placeholders

/// The conversion of an image's samples to sRGB.
struct ColorProfile: Sendable {
  static let sRGB = ColorProfile()

  /// The conversion of every pixel to sRGB; nil if ``curves`` and ``matrix`` suffice.
  private(set) var transform: (any RowTransform)?

  /// The conversion of each sample to linear light.
  private(set) var curves = TransferCurves.sRGB

  /// The conversion of linear light to linear sRGB.
  ///
  /// Linear light can be averaged first, so the matrix is applied only to the cells of a grid.
  private(set) var matrix = ColorMatrix.identity

  private init() {}

  /// Parses an ICC profile; nil if it is damaged or its color space does not match the layout.
  init?(icc: Span<UInt8>, layout: SampleLayout) {
    guard let excerpt = ProfileExcerpt(icc: icc) else { return nil }
    let profile = unsafe excerpt.bytes.withUnsafeBufferPointer {
      unsafe cmsOpenProfileFromMem($0.baseAddress, UInt32($0.count))
    }
    guard let profile = unsafe profile else { return nil }
    defer { unsafe cmsCloseProfile(profile) }
    unsafe self.init(profile: profile, layout: layout)
  }

  /// Creates a profile from the gAMA and cHRM chunks of a PNG file; nil if their values are invalid.
  ///
  /// A gamma of 1/2.2 with the primaries of sRGB is treated as sRGB. The PNG specification recommends that
  /// combination as a fallback for readers that do not support the sRGB chunk.
  init?(gamma: Double, primaries: Primaries) {
    guard gamma > 0, let matrix = Self.matrix(of: primaries) else { return nil }
    if abs(gamma * 2.2 - 1) < 0.05 && matrix.isIdentity {
      self.init()
    } else {
      self.init(curves: TransferCurves { PortableMath.power($0 / 255, 1 / gamma) }, matrix: matrix)
    }
  }

  /// Creates a profile from declared code points; nil if an allocation fails.
  ///
  /// The maximum luminance of an HDR image is in cd/m²; 0 means that it is unknown.
  init?(coding: ColorCoding, layout: SampleLayout, maximumLuminance: Double) {
    guard let matrix = Self.matrix(of: coding.primaries) else { return nil }
    if coding.transfer.hdrName == nil {
      self.init(curves: TransferCurves { coding.transfer.linear($0 / 255) }, matrix: matrix)
    } else {
      self.init()
      transform = ToneMapping(
        coding.transfer, matrix: matrix, layout: layout, maximumLuminance: maximumLuminance)
    }
  }

  /// Returns the matrix from linear light with the given primaries to linear sRGB; nil if it cannot be computed.
  ///
  /// Both color spaces are adapted to D50.
  private static func matrix(of primaries: Primaries) -> ColorMatrix? {
    var white = cmsCIExyY(primaries.white)
    var triple = cmsCIExyYTRIPLE(
      Red: cmsCIExyY(primaries.red), Green: cmsCIExyY(primaries.green),
      Blue: cmsCIExyY(primaries.blue))
    guard let profile = unsafe cmsCreateRGBProfile(&white, &triple, nil) else { return nil }
    defer { unsafe cmsCloseProfile(profile) }
    return unsafe colorants(of: profile)
  }

  private init?(profile: cmsHPROFILE, layout: SampleLayout) {
    let isTable = unsafe cmsIsCLUT(profile, UInt32(INTENT_PERCEPTUAL), UInt32(LCMS_USED_AS_INPUT))
    switch unsafe (cmsGetColorSpace(profile), layout) {
    case (cmsSigGrayData, .gray), (cmsSigGrayData, .grayAlpha):
      let tag = cmsSigGrayTRCTag
      guard let curves = unsafe Self.curves(tag, tag, tag, of: profile) else { return nil }
      self.init(curves: curves, matrix: .identity)
    case (cmsSigRgbData, .rgb), (cmsSigRgbData, .rgba):
      guard unsafe isTable == 0 && cmsIsMatrixShaper(profile) != 0 else { fallthrough }
      guard
        let curves = unsafe Self.curves(
          cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag, of: profile),
        let matrix = unsafe Self.colorants(of: profile)
      else { return nil }
      self.init(curves: curves, matrix: matrix)
    case (cmsSigCmykData, .cmyk):
      guard let transform = unsafe ColorTransform(from: profile, layout: layout) else {
        return nil
      }
      self.init()
      self.transform = transform
    default: return nil
    }
  }

  /// Creates a matrix profile.
  ///
  /// Curves or a matrix that equal those of sRGB except for rounding, as in most profiles, are replaced by the exact
  /// ones, which need no arithmetic.
  private init(curves: TransferCurves, matrix: ColorMatrix) {
    if !curves.isSRGB { self.curves = curves }
    if !matrix.isIdentity { self.matrix = matrix }
  }

  private static func curves(
    _ redTag: cmsTagSignature, _ greenTag: cmsTagSignature, _ blueTag: cmsTagSignature,
    of profile: cmsHPROFILE
  ) -> TransferCurves? {
    guard
      let red = unsafe cmsReadTag(profile, redTag),
      let green = unsafe cmsReadTag(profile, greenTag),
      let blue = unsafe cmsReadTag(profile, blueTag)
    else { return nil }
    func table(_ data: UnsafeMutableRawPointer) -> [Float] {
      let curve = OpaquePointer(data)
      return (0...255).map { unsafe cmsEvalToneCurveFloat(curve, Float($0) / 255) }
    }
    let redTable = unsafe table(red)
    // The channels of most profiles share a curve.
    return unsafe TransferCurves(
      red: redTable, green: green == red ? redTable : table(green),
      blue: blue == red ? redTable : table(blue))
  }

  private static func colorants(of profile: cmsHPROFILE) -> ColorMatrix? {
    guard
      let red = unsafe color(cmsSigRedColorantTag, of: profile),
      let green = unsafe color(cmsSigGreenColorantTag, of: profile),
      let blue = unsafe color(cmsSigBlueColorantTag, of: profile)
    else { return nil }
    return ColorMatrix(redXYZ: red, greenXYZ: green, blueXYZ: blue)
  }

  private static func color(_ tag: cmsTagSignature, of profile: cmsHPROFILE) -> SIMD3<Float>? {
    guard let data = unsafe cmsReadTag(profile, tag) else { return nil }
    let color = unsafe data.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
    return SIMD3(Float(color.X), Float(color.Y), Float(color.Z))
  }
}

extension cmsCIExyY {
  /// Creates a color from its chromaticity, at full luminance.
  fileprivate init(_ chromaticity: SIMD2<Double>) {
    self.init(x: chromaticity.x, y: chromaticity.y, Y: 1)
  }
}
