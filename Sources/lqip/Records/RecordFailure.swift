package import LqipSystem
package import PlaceholderEncoding

/// Why a file has no placeholders, as its record says it.
package struct RecordFailure: Error, Hashable, Sendable {
  /// The closed set of reasons that programs can tell apart.
  package enum Code: String, CaseIterable, Sendable {
    case unsupportedFormat = "unsupported_format"
    case corrupt
    case truncated
    case tooLarge = "too_large"
    case timeout
    case unreadable
    case decoderFailed = "decoder_failed"
    case `internal`

    /// Whether the same bytes will fail again, as far as their settings go.
    package var isLasting: Bool {
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

  /// A worker that gave no reply.
  package init(_ failure: WorkerFailure) {
    switch failure {
    case .timedOut, .stalled: self.init(.timeout, "\(failure)")
    case .cancelled, .unavailable: self.init(.internal, "\(failure)")
    case .crashed, .exited, .malformedReply: self.init(.decoderFailed, "\(failure)")
    }
  }

  /// A refusal by the file system.
  package init(_ error: SystemError) {
    self.init(.unreadable, "\(error)")
  }

  /// A refusal of a file by its size.
  package init(byteCount: Int, limit: Int) {
    self.init(.tooLarge, "the file is \(ByteCount.text(byteCount, above: limit))")
  }

  /// A refusal by the decoder.
  package init(_ error: ImageDecodingError) {
    switch error {
    case .unsupportedFormat, .unsupported: self.init(.unsupportedFormat, "\(error)")
    case .corrupt: self.init(.corrupt, "\(error)")
    case .truncated: self.init(.truncated, "\(error)")
    case .tooLarge: self.init(.tooLarge, "\(error)")
    case .timedOut: self.init(.timeout, "\(error)")
    case .unreadable(let number): self.init(SystemError(number: number))
    case .outOfMemory: self.init(.tooLarge, "the image needs more memory than a decoder may use")
    case .cancelled, .libraryUnavailable: self.init(.internal, "\(error)")
    }
  }
}

extension RecordFailure {
  /// The failure as the value of a record's `error`.
  package var json: JSON {
    .object([("code", .string(code.rawValue)), ("message", .string(message))])
  }
}
