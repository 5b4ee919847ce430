internal import CPlaceholderCodecs
internal import CPlaceholderLCMS

/// A C library that is used to encode or decode images.
package enum CodecLibrary: String, CaseIterable, Sendable {
  case libjpeg = "libjpeg-turbo"
  case libpng
  case isaL = "ISA-L"
  case lcms = "lcms2"
  case libwebp
  case giflib
  case dav1d
  case libde265

  /// The version in use, such as "1.6.39"; nil if the library was excluded from the build.
  ///
  /// libjpeg-turbo, ISA-L and giflib do not report a version. For these, the property is the version of the headers at
  /// build time.
  package var version: String? {
    let library: lqip_library
    switch self {
    case .libjpeg: library = .LQIP_LIBJPEG
    case .libpng: library = .LQIP_LIBPNG
    case .isaL: library = .LQIP_ISAL
    case .lcms: return Self.lcmsVersion
    case .libwebp: library = .LQIP_LIBWEBP
    case .giflib: library = .LQIP_GIFLIB
    case .dav1d: library = .LQIP_DAV1D
    case .libde265: library = .LQIP_LIBDE265
    }
    let version = lqip_library_version(library)
    return version == 0 ? nil : "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
  }

  /// Prepares the libraries for a process that cannot open files later.
  ///
  /// Loading those for AVIF and HEIC takes about a millisecond; pass the format of the only image to load them only if it
  /// has one of these formats.
  package static func load(for format: ImageFormat?) {
    lqip_load_libraries(format?.isHEIF ?? true)
  }

  /// The version of lcms2, decoded from a number such as 2140 for 2.14.
  private static var lcmsVersion: String {
    let version = cmsGetEncodedCMMversion()
    let (major, rest) = (version / 1000, version % 1000)
    return rest % 10 == 0 ? "\(major).\(rest / 10)" : "\(major).\(rest / 10).\(rest % 10)"
  }
}
