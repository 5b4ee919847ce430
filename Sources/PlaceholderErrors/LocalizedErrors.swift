// A target of its own, so that a program which has no use for Foundation does not load it.
public import PlaceholderEncoding

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ImageDecodingError: LocalizedError {
  /// The error's ``/PlaceholderEncoding/ImageDecodingError/description``.
  public var errorDescription: String? { description }
}

extension PNGWritingError: LocalizedError {
  /// The error's ``/PlaceholderEncoding/PNGWritingError/description``.
  public var errorDescription: String? { description }
}

extension BlurHashError: LocalizedError {
  /// The error's ``/Placeholders/BlurHashError/description``.
  public var errorDescription: String? { description }
}

extension PackedLQIPError: LocalizedError {
  /// The error's ``/Placeholders/PackedLQIPError/description``.
  public var errorDescription: String? { description }
}

extension ThumbHashError: LocalizedError {
  /// The error's ``/Placeholders/ThumbHashError/description``.
  public var errorDescription: String? { description }
}
