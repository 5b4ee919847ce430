package import LqipFiles
internal import LqipOptions

/// What a record of an earlier run is worth to this one.
package enum RecordReuse: Hashable, Sendable {
  /// It is what would be made again.
  case holds
  /// It is, if the content has the record's digest; one without a digest is to get it.
  case holdsIfContentDoes
  case isOutdated(Reason)

  /// Why a record has to be made again.
  package enum Reason: Int, CaseIterable, Sendable {
    case changed, otherSettings, otherLimits, unstamped, failedForTheMoment, implausible
  }
}

extension RecordReuse.Reason: CustomStringConvertible {
  /// What people are told of such records.
  package var description: String {
    switch self {
    case .changed: "file changed"
    case .otherSettings: "settings changed"
    case .otherLimits: "limit changed"
    case .unstamped: "the records lack file size and modification time"
    case .failedForTheMoment: "earlier reads failed"
    case .implausible: "implausible BlurHash or size"
    }
  }
}

extension RecordKey {
  /// Tells whether the record holds for a file without opening it.
  package func reuse(for status: FileStatus, _ style: RecordStamp.Style) -> RecordReuse {
    guard isPlausible else { return .isOutdated(.implausible) }
    guard let encoder, let byteCount else {
      let isLasting = failure?.isLasting ?? true
      return .isOutdated(isLasting ? .unstamped : .failedForTheMoment)
    }
    guard byteCount == status.byteCount else { return .isOutdated(.changed) }
    var limits = style.usualLimits
    if !encoder.elementsEqual(style.usualEncoder) {
      let words = String(decoding: encoder, as: UTF8.self).split(separator: " ").map(String.init)
      guard Self.settings(words) == Self.settings(style.settings) else {
        return .isOutdated(.otherSettings)
      }
      limits = LimitOptions(words)
    }
    guard allows(style.limits, limits) else { return .isOutdated(.otherLimits) }
    let isOfTime = modified?.elementsEqual(status.modified.utf8)
    if style.comparesContent || modified == nil {
      return digest != nil || isOfTime == true ? .holdsIfContentDoes : .isOutdated(.changed)
    }
    return isOfTime == true ? .holds : .isOutdated(.changed)
  }

  /// Whether the record is, word for word, stamped as a new one would be.
  package func isStamped(as stamp: RecordStamp) -> Bool {
    (modified == nil) == (stamp.modified == nil)
      && encoder.map { $0.elementsEqual(stamp.encoder.utf8) } ?? false
  }

  /// The settings that make other placeholders; the digest is beside them.
  private static func settings(_ words: [String]) -> [String] {
    words.filter { $0 != "sha256" && !$0.hasPrefix(LimitOptions.prefix) }
  }

  /// Whether limits give the answer that others gave.
  private func allows(_ new: LimitOptions, _ old: LimitOptions) -> Bool {
    guard failure == .tooLarge else {
      let isSmall = (byteCount ?? 0) <= new.byteCount && new.memory >= old.memory
      guard let width, let height, let most = new.pixelCount else { return isSmall }
      let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
      return isSmall && !overflow && pixels <= most
    }
    // A file over the size limit was refused before the other limits applied.
    if let byteCount, byteCount > old.byteCount { return byteCount > new.byteCount }
    return (byteCount ?? 0) > new.byteCount
      || new.memory <= old.memory && (new.pixelCount ?? .max) <= (old.pixelCount ?? .max)
  }
}
