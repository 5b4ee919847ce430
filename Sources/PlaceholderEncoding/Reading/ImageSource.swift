internal import CPlaceholderCodecs

/// The input of one image, with the limits on decoding it.
@safe struct ImageSource: ~Copyable {
  /// The C codec, which holds the input, the limits, the last failure and the warnings.
  let codec: OpaquePointer

  /// Takes ownership of a new codec; throws if its allocation failed.
  init(_ codec: OpaquePointer?) throws(ImageDecodingError) {
    guard let codec = unsafe codec else { throw .outOfMemory }
    unsafe self.codec = codec
  }

  deinit { unsafe lqip_codec_destroy(codec) }

  func format() throws(ImageDecodingError) -> ImageFormat {
    var first = unsafe lqip_bytes()
    guard unsafe lqip_codec_peek(codec, &first) else { throw error(format: .jpeg) }
    let bytes = unsafe UnsafeBufferPointer(start: first.bytes, count: first.count)
    if let reason = unsafe ImageFormat.reasonForRejecting(bytes.span) {
      throw .unsupportedFormat(reason: reason)
    }
    guard let format = unsafe ImageFormat(sniffing: bytes.span) else {
      throw .unsupportedFormat(reason: "not a JPEG, PNG, WebP, GIF, AVIF or HEIC image")
    }
    return format
  }

  /// The warnings so far, without duplicates.
  var warnings: [String] {
    var warnings: [String] = []
    while let warning = unsafe lqip_codec_warning(codec, Int32(warnings.count)) {
      warnings.append(unsafe String(cString: warning))
    }
    return warnings
  }

  /// Returns the error of the last failed C call, with the codec's message.
  func error(format: ImageFormat) -> ImageDecodingError {
    let failure = unsafe lqip_codec_failure(codec)
    let reason = unsafe String(cString: failure.message)
    return switch unsafe failure.status {
    case .LQIP_SUCCESS, .LQIP_CORRUPT: .corrupt(format: format, reason: reason)
    case .LQIP_UNSUPPORTED: .unsupported(format: format, reason: reason)
    case .LQIP_TRUNCATED: .truncated(format: format, reason: reason)
    case .LQIP_TOO_LARGE: .tooLarge(reason: reason)
    case .LQIP_TIMED_OUT: .timedOut
    case .LQIP_UNREADABLE: .unreadable(errno: unsafe failure.error_number)
    case .LQIP_OUT_OF_MEMORY: .outOfMemory
    case .LQIP_NOT_LOADED: .libraryUnavailable(format: format, reason: reason)
    }
  }
}
