import Foundation

package import PlaceholderEncoding

extension ImageDecoder {
  /// Decodes a fixture from memory.
  package func decode(fixture name: String) throws -> DecodedImage {
    let bytes = try Fixtures.bytes(name)
    return try decode(bytes.span)
  }
}

extension PlaceholderEncoder {
  /// Creates an encoder with modified default options.
  package init(_ change: (inout Options) -> Void) {
    var options = Options()
    change(&options)
    self.init(options)
  }

  /// Creates an encoder with the given decoding options.
  package init(decoding: ImageDecoder.Options) {
    self.init { $0.decoding = decoding }
  }

  /// Encodes a fixture from memory.
  package func encode(fixture name: String) throws -> ImagePlaceholders {
    let bytes = try Fixtures.bytes(name)
    return try encode(bytes.span)
  }

  /// Encodes a fixture, and returns the placeholders or the error.
  package func result(fixture name: String) throws -> Result<ImagePlaceholders, ImageDecodingError>
  {
    result(try Fixtures.bytes(name))
  }

  /// Encodes an image in memory, and returns the placeholders or the error.
  package func result(_ bytes: [UInt8]) -> Result<ImagePlaceholders, ImageDecodingError> {
    do {
      return .success(try encode(bytes.span))
    } catch {
      return .failure(error)
    }
  }
}

extension ImageDecoder.Options {
  /// Returns the modified default options.
  package static func with(_ change: (inout ImageDecoder.Options) -> Void) -> ImageDecoder.Options {
    var options = ImageDecoder.Options()
    change(&options)
    return options
  }

  package static let exact = with { $0.isExact = true }
  package static let lenient = with { $0.isLenient = true }
  package static let verifying = with { $0.verifiesWholeFile = true }
}

extension ImageDecoder.Limits {
  /// Returns the modified default limits.
  package static func with(_ change: (inout ImageDecoder.Limits) -> Void) -> ImageDecoder.Limits {
    var limits = ImageDecoder.Limits()
    change(&limits)
    return limits
  }
}

extension ImageDecodingError {
  /// The error code in `errors.tsv`.
  package var code: String {
    switch self {
    case .unsupportedFormat, .unsupported: "unsupported_format"
    case .corrupt: "corrupt"
    case .truncated: "truncated"
    case .tooLarge: "too_large"
    case .timedOut: "timeout"
    case .unreadable: "unreadable"
    case .cancelled, .outOfMemory, .libraryUnavailable: "internal"
    }
  }

  /// Whether the file is damaged.
  package var isDamage: Bool {
    switch self {
    case .corrupt, .truncated: true
    default: false
    }
  }
}

extension ImagePlaceholders {
  /// The placeholders without warnings and orientation, which depend on the file.
  package var picture: ImagePlaceholders {
    var picture = ImagePlaceholders(
      format: format, width: width, height: height, orientation: .up, hasAlpha: hasAlpha,
      isOpaque: isOpaque, isAnimated: isAnimated, frameCount: nil, averageColor: averageColor,
      isComplete: nil, warnings: [])
    (picture.blurHash, picture.lqip) = (blurHash, lqip)
    return picture
  }
}

extension Result {
  /// The error; nil for a success.
  package var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
