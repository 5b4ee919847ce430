internal import CPlaceholderCodecs

/// The reason why an image could not be decoded.
///
/// <doc:HandlingErrors> shows an example.
@nonexhaustive
public enum ImageDecodingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The format is not supported; `reason` names the format if it is recognized.
  case unsupportedFormat(reason: String)

  /// The format is supported, but not this variant, such as 12-bit JPEG; `reason` names the variant.
  case unsupported(format: ImageFormat, reason: String)

  /// The data is damaged; `reason` is the codec's message.
  case corrupt(format: ImageFormat, reason: String)

  /// The data ends too early; `reason` is the codec's message.
  case truncated(format: ImageFormat, reason: String)

  /// The image exceeds one of ``ImageDecoder/Limits``; `reason` names the limit.
  case tooLarge(reason: String)

  /// Decoding exceeded ``ImageDecoder/Limits/timeLimit`` or ``ImageDecoder/Limits/wallTimeLimit``.
  case timedOut

  /// The bytes could not be read; `errno` is the system's error number.
  case unreadable(errno: Int32)

  /// The task was canceled.
  case cancelled

  /// An allocation failed.
  case outOfMemory

  /// The codec library could not be loaded; `reason` names the library. Decoding the next image retries the load.
  case libraryUnavailable(format: ImageFormat, reason: String)

  /// A readable message on one line.
  public var description: String {
    switch self {
    case .unsupportedFormat(let reason): reason
    case .unsupported(let format, let reason): "unsupported \(format) image: \(reason)"
    case .corrupt(let format, let reason): "damaged \(format) image: \(reason)"
    case .truncated(let format, let reason): "truncated \(format) image: \(reason)"
    case .tooLarge(let reason): "image too large: \(reason)"
    case .timedOut: "decoding took too long"
    case .unreadable(let errno):
      "cannot read the image: \(unsafe String(cString: lqip_error_text(errno)))"
    case .cancelled: "decoding was cancelled"
    case .outOfMemory: "out of memory"
    case .libraryUnavailable(let format, let reason):
      "\(format) support is unavailable: \(reason)"
    }
  }
}
