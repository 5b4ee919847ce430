package import LqipFiles
internal import PlaceholderEncoding

/// What a record was made from and how, so that a later run can tell whether it still holds.
package struct RecordStamp: Hashable, Sendable {
  /// How a run makes its stamps.
  package struct Style: Hashable, Sendable {
    /// The settings of the run, in words.
    let settings: String
    /// Whether a file counts as unchanged by its digest rather than by its modification time.
    package let comparesContent: Bool

    package init(settings: [String], comparesContent: Bool) {
      self.settings =
        (["\(PlaceholderEncoder.algorithmVersion)"] + settings).joined(separator: " ")
      self.comparesContent = comparesContent
    }
  }

  let byteCount: Int
  /// When the file was changed last; nil where its digest tells instead.
  let modified: Timestamp?
  /// The version of the algorithms and the settings, which together make the same from the same.
  let encoder: String

  package init(byteCount: Int, modified: Timestamp?, encoder: String) {
    self.byteCount = byteCount
    self.modified = modified
    self.encoder = encoder
  }

  /// Stamps what is known of a file.
  package init(_ status: FileStatus, _ style: Style) {
    self.init(
      byteCount: status.byteCount, modified: style.comparesContent ? nil : status.modified,
      encoder: style.settings)
  }

  /// The stamp as members of a record, without the size, which has its own place there.
  var members: [JSON.Member] {
    (modified.map { [("modified", .string($0.text))] } ?? []) + [("encoder", .string(encoder))]
  }
}
