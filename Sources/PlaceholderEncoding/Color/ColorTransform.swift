internal import CPlaceholderLCMS
internal import Placeholders

/// A conversion of every pixel of an image to sRGB.
protocol RowTransform: Sendable {
  /// Converts the first `pixelCount` pixels of a row.
  func convert(_ input: [UInt8], into output: inout [UInt8], pixelCount: Int)
}

/// Converts rows of samples from the color space of an ICC profile to sRGB, by lcms2.
///
/// The class is sendable because each image is decoded by a single task, so no transform is used concurrently.
@safe final class ColorTransform: RowTransform, @unchecked Sendable {
  private let handle: cmsHTRANSFORM
  private let sampleCounts: (input: Int, output: Int)

  /// Creates a transform with the perceptual rendering intent; nil if the layout is gray or lcms2 fails.
  ///
  /// The profile can be closed afterwards. RGB and CMYK are converted to RGB; RGBA is converted to RGBA with the
  /// same alpha.
  init?(from profile: cmsHPROFILE, layout: SampleLayout) {
    let formats: (input: UInt32, output: UInt32)
    switch layout {
    case .rgb: formats = (lqip_lcms_rgb8, lqip_lcms_rgb8)
    case .rgba: formats = (lqip_lcms_rgba8, lqip_lcms_rgba8)
    case .cmyk: formats = (lqip_lcms_cmyk8, lqip_lcms_rgb8)
    case .gray, .grayAlpha: return nil
    }
    guard let sRGB = unsafe cmsCreate_sRGBProfile() else { return nil }
    defer { unsafe cmsCloseProfile(sRGB) }
    // For the few pixels at the reduced scale, a finer table is not worth the time to build it.
    let flags = UInt32(cmsFLAGS_LOWRESPRECALC | cmsFLAGS_COPY_ALPHA)
    guard
      let handle = unsafe cmsCreateTransform(
        profile, formats.input, sRGB, formats.output, UInt32(INTENT_PERCEPTUAL), flags)
    else { return nil }
    unsafe self.handle = handle
    sampleCounts = (layout.count, layout == .cmyk ? 3 : layout.count)
  }

  deinit { unsafe cmsDeleteTransform(handle) }

  func convert(_ input: [UInt8], into output: inout [UInt8], pixelCount: Int) {
    precondition(
      input.count >= pixelCount * sampleCounts.input
        && output.count >= pixelCount * sampleCounts.output, "a row is too short for its pixels")
    unsafe input.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe cmsDoTransform(
          handle, input.baseAddress, output.baseAddress, UInt32(pixelCount))
      }
    }
  }
}
