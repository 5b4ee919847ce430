import Foundation

@testable import Placeholders

extension ImageDecoder {
  /// Decodes a fixture from memory.
  func decode(fixture name: String) throws -> DecodedImage {
    let bytes = try Fixtures.bytes(name)
    return try decode(bytes.span)
  }
}

extension PlaceholderEncoder {
  /// Encodes a fixture from memory.
  func encode(fixture name: String) throws -> ImagePlaceholders {
    let bytes = try Fixtures.bytes(name)
    return try encode(bytes.span)
  }

  /// Encodes a fixture, or fails as its decoding fails.
  func result(fixture name: String) throws -> Result<ImagePlaceholders, ImageDecodingError> {
    result(try Fixtures.bytes(name))
  }

  /// Encodes an image in memory, or fails as its decoding fails.
  func result(_ bytes: [UInt8]) -> Result<ImagePlaceholders, ImageDecodingError> {
    do {
      return .success(try encode(bytes.span))
    } catch {
      return .failure(error)
    }
  }
}

extension DecodeOptions {
  /// The defaults, with some of them changed.
  static func with(_ change: (inout DecodeOptions) -> Void) -> DecodeOptions {
    var options = DecodeOptions()
    change(&options)
    return options
  }

  static let exact = with { $0.isExact = true }
  static let lenient = with { $0.isLenient = true }
  static let verifying = with { $0.verifies = true }
}

extension DecodeLimits {
  /// The defaults, with some of them changed.
  static func with(_ change: (inout DecodeLimits) -> Void) -> DecodeLimits {
    var limits = DecodeLimits()
    change(&limits)
    return limits
  }
}

extension ImageDecodingError {
  /// The code that `errors.tsv` has for the error.
  var code: String {
    switch self {
    case .unsupportedFormat: "unsupported_format"
    case .corrupt: "corrupt"
    case .truncated: "truncated"
    case .tooLarge: "too_large"
    case .timedOut: "timeout"
    case .unreadable: "unreadable"
    case .outOfMemory: "internal"
    }
  }

  /// Whether the file is to blame for what is missing or wrong in it.
  var isDamage: Bool {
    switch self {
    case .corrupt, .truncated: true
    default: false
    }
  }
}

extension ImagePlaceholders {
  /// The same, but for the warnings and the orientation of the file.
  var picture: ImagePlaceholders {
    ImagePlaceholders(
      format: format, width: width, height: height, orientation: 1, hasAlpha: hasAlpha,
      isAnimated: isAnimated, blurHash: blurHash, lqip: lqip, lqip2: lqip2,
      averageColor: averageColor,
      warnings: [])
  }
}
