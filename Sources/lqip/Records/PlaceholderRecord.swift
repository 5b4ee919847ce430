package import LqipSystem
package import PlaceholderEncoding

/// The record of one file: its placeholders or an error.
package struct PlaceholderRecord: Sendable {
  /// The path in the record; empty for an image without a file name.
  package let path: FilePath
  package let outcome: EncodingResult
  /// The stamp; `nil` if the output does not support incremental updates, and after a transient error, so that a later
  /// run retries the file.
  package let stamp: RecordStamp?

  package init(path: FilePath, outcome: EncodingResult, stamp: RecordStamp? = nil) {
    self.path = path
    self.outcome = outcome
    let isTransient =
      if case .failed(let failure) = outcome { !failure.code.isPermanent } else { false }
    self.stamp = isTransient ? nil : stamp
  }

  /// The error; `nil` for an encoded image.
  package var failure: RecordFailure? {
    if case .failed(let failure) = outcome { failure } else { nil }
  }

  /// The SHA-256 digest of the file; `nil` if the profile does not need it.
  package var digest: SHA256Digest? {
    if case .encoded(_, _, let digest) = outcome { digest } else { nil }
  }

  /// Returns the text of one placeholder; empty for an error record.
  package func text(of kind: PlaceholderKind) -> String {
    guard case .encoded(let image, _, _) = outcome else { return "" }
    return kind.definition.text(image) ?? ""
  }

  /// The members of the `plain` record, in the documented order.
  package var members: [JSON.Member] {
    var members = RecordPath(path).members
    switch outcome {
    case .encoded(let image, let byteCount, _): members += image.members(byteCount: byteCount)
    case .failed(let failure): members.append(("error", failure.json))
    }
    if let stamp { members.append(("stamp", .string(stamp.text))) }
    return members
  }
}
