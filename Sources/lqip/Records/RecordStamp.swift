package import LqipFiles
package import LqipOptions
internal import PlaceholderEncoding

/// What a record was made from and how, so that a later run can tell whether it still holds.
package struct RecordStamp: Hashable, Sendable {
  /// How a run makes its stamps.
  package struct Style: Hashable, Sendable {
    /// The version of the algorithms and the settings that are not the default.
    package let settings: [String]
    /// What an image may cost.
    package let limits: LimitOptions
    /// Whether a file counts as unchanged by its digest rather than by its modification time.
    package let comparesContent: Bool
    /// What almost every record says of its settings.
    let usualEncoder: [UInt8]
    /// The limits that it tells.
    let usualLimits: LimitOptions

    package init(settings: [String], limits: LimitOptions = LimitOptions(), comparesContent: Bool) {
      self.settings = ["\(PlaceholderEncoder.algorithmVersion)"] + settings
      self.limits = limits
      self.comparesContent = comparesContent
      let words = self.settings + limits.memoryText
      usualEncoder = Array(words.joined(separator: " ").utf8)
      usualLimits = LimitOptions(words)
    }

    /// What a record says of the settings that it was made with.
    ///
    /// - Parameter failure: Why there are no placeholders; a record refused by a limit lists every limit.
    /// - Returns: Words with spaces between them.
    package func encoder(failure: RecordFailure.Code?) -> String {
      let words = failure == .tooLarge ? limits.text : limits.memoryText
      return (settings + words).joined(separator: " ")
    }
  }

  package let byteCount: Int
  /// When the file was changed last; nil where its digest tells instead.
  package let modified: Timestamp?
  /// The version of the algorithms and the settings, which together make the same from the same.
  package let encoder: String

  package init(byteCount: Int, modified: Timestamp?, encoder: String) {
    self.byteCount = byteCount
    self.modified = modified
    self.encoder = encoder
  }

  /// Stamps what is known of a file and what came of it.
  package init(_ status: FileStatus, _ style: Style, failure: RecordFailure.Code? = nil) {
    self.init(
      byteCount: status.byteCount, modified: style.comparesContent ? nil : status.modified,
      encoder: style.encoder(failure: failure))
  }

  /// The stamp as members of a record, without the size, which has its own place there.
  package var members: [JSON.Member] {
    (modified.map { [("modified", .string($0.text))] } ?? []) + [("encoder", .string(encoder))]
  }
}
