package import LqipSystem
package import PlaceholderEncoding

/// The error code and message of an error record.
package struct RecordFailure: Error, Hashable, Sendable {
  /// The closed set of error codes in the record format.
  package enum Code: String, CaseIterable, Sendable {
    case unsupportedFormat = "unsupported_format"
    case corrupt
    case truncated
    case tooLarge = "too_large"
    case timeout
    case unreadable
    case decoderFailed = "decoder_failed"
    case `internal`

    /// Whether the same bytes and settings always cause this failure.
    package var isPermanent: Bool {
      switch self {
      case .unsupportedFormat, .corrupt, .truncated, .tooLarge: true
      case .timeout, .unreadable, .decoderFailed, .internal: false
      }
    }
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Creates the failure for an image whose worker sent no valid reply.
  package init(_ failure: WorkerFailure) {
    switch failure {
    case .timedOut, .stalled: self.init(.timeout, "\(failure)")
    case .cancelled, .unavailable: self.init(.internal, "\(failure)")
    default: self.init(.decoderFailed, "\(failure)")
    }
  }

  package init(_ error: SystemError) {
    self.init(.unreadable, "\(error)")
  }

  package init(byteCount: Int, limit: Int) {
    self.init(.tooLarge, "the file is \(ByteCount.text(byteCount, above: limit))")
  }

  package init(_ error: ImageDecodingError) {
    switch error {
    case .unsupportedFormat, .unsupported: self.init(.unsupportedFormat, "\(error)")
    case .corrupt: self.init(.corrupt, "\(error)")
    case .truncated: self.init(.truncated, "\(error)")
    case .tooLarge: self.init(.tooLarge, "\(error)")
    case .timedOut: self.init(.timeout, "\(error)")
    case .unreadable(let number): self.init(SystemError(number: number))
    case .outOfMemory: self.init(.tooLarge, "decoding needs more memory than the limit allows")
    case .cancelled, .libraryUnavailable: self.init(.internal, "\(error)")
    }
  }
}

extension RecordFailure {
  /// The value of the record member `error`.
  package var json: JSON {
    .object([("code", .string(code.rawValue)), ("message", .string(message))])
  }
}
