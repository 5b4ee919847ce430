internal import CPlaceholderCodecs

/// Why an image could not be decoded.
@nonexhaustive
public enum ImageDecodingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The format is not supported; `reason` names it if it is recognized.
  case unsupportedFormat(reason: String)

  /// The format is supported, but not this variant, such as 12-bit JPEG; `reason` names it.
  case unsupported(format: ImageFormat, reason: String)

  /// The stream is damaged; `reason` is the codec's own message.
  case corrupt(format: ImageFormat, reason: String)

  /// The stream ends too early; `reason` is the codec's own message.
  case truncated(format: ImageFormat, reason: String)

  /// The image exceeds one of ``ImageDecoder/Limits``; `reason` says which.
  case tooLarge(reason: String)

  /// ``ImageDecoder/Limits/timeLimit`` or ``ImageDecoder/Limits/wallTimeLimit`` passed.
  case timedOut

  /// The bytes could not be read; `errno` is the system's number for the reason.
  case unreadable(errno: Int32)

  /// The task that decodes was cancelled.
  case cancelled

  /// The system had no memory left.
  case outOfMemory

  /// The library that reads the format cannot be used now; `reason` names it. The next image is another try.
  case libraryUnavailable(format: ImageFormat, reason: String)

  /// One line for people.
  public var description: String {
    switch self {
    case .unsupportedFormat(let reason): reason
    case .unsupported(let format, let reason): "unsupported \(format) image: \(reason)"
    case .corrupt(let format, let reason): "damaged \(format) image: \(reason)"
    case .truncated(let format, let reason): "truncated \(format) image: \(reason)"
    case .tooLarge(let reason): "image too large: \(reason)"
    case .timedOut: "decoding took too long"
    case .unreadable(let errno):
      "cannot read the image: \(Self.reason(errno: errno))"
    case .cancelled: "decoding was cancelled"
    case .outOfMemory: "out of memory"
    case .libraryUnavailable(let format, let reason):
      "\(format) support is unavailable: \(reason)"
    }
  }

  /// The system's words for an error number.
  private static func reason(errno: Int32) -> String {
    unsafe String(cString: lqip_error_text(errno))
  }
}
