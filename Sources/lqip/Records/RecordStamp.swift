package import LqipSystem

/// The stamp of a record: the size, modification time and change time of the file, and the encoder settings.
///
/// A later run reuses a record if the file and the settings still match the stamp. Times are in seconds since 1970,
/// with nine decimal places.
package struct RecordStamp: Hashable, Sendable {
  /// The periods in nanoseconds within which two changes of a file can have the same change time.
  ///
  /// The kernel clock of Linux advances at least every 10 ms. FAT and older network protocols have a granularity of
  /// up to 2 s.
  private static let granularity = (fine: 20_000_000, coarse: 2_000_000_000)
  private static let opening = Array(#","stamp":""#.utf8)
  private static let closing = Array(#""}"#.utf8)

  package let text: String

  /// Creates the stamp of a file before it is read.
  ///
  /// A file that has just changed may change again within ``granularity`` and keep its change time. Its stamp is marked
  /// `racy`, which prevents reuse. A change time in the future is that of another clock, and distinguishes later changes.
  ///
  /// `status` and `now` are those of the opening of the file; `settings` must not contain quotes.
  package init(_ status: FileStatus, settings: String, at now: Timestamp) {
    let changed = status.changed
    let age =
      (now.seconds - changed.seconds) * 1_000_000_000 + now.nanoseconds - changed.nanoseconds
    let isRacy =
      abs(age) < (changed.nanoseconds == 0 ? Self.granularity.coarse : Self.granularity.fine)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    Self.write(status, to: &bytes)
    if isRacy { bytes += "racy ".utf8 }
    bytes += settings.utf8
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the bytes with which a reusable record of the file ends; `changed` replaces the change time of the file.
  package static func lineEnd(
    of status: FileStatus, changed: Timestamp? = nil, settings: [UInt8]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    bytes += opening
    write(status, changed: changed, to: &bytes)
    bytes += settings
    bytes += closing
    return bytes
  }

  private static func write(
    _ status: FileStatus, changed: Timestamp? = nil, to bytes: inout [UInt8]
  ) {
    bytes += String(status.byteCount).utf8
    for time in [status.modified, changed ?? status.changed] {
      bytes.append(UInt8(ascii: " "))
      bytes += String(time.seconds).utf8
      bytes.append(UInt8(ascii: "."))
      bytes += String(UInt64(clamping: time.nanoseconds), minimumLength: 9).utf8
    }
    bytes.append(UInt8(ascii: " "))
  }

  /// Returns the change time in the stamp at the end of a record, or `nil` if the record has no stamp.
  package static func changeTime(ofLine line: [UInt8]) -> Timestamp? {
    let body = line.dropLast(closing.count)
    guard let quote = body.lastIndex(of: UInt8(ascii: "\"")),
      body[...quote].suffix(opening.count).elementsEqual(opening)
    else { return nil }
    let words = body[(quote + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 3)
    guard words.count > 2 else { return nil }
    let parts = words[2].split(separator: UInt8(ascii: ".")).map {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard parts.count == 2, let seconds = parts[0], let nanoseconds = parts[1] else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// Returns whether the change time of a record is later than that of another; a record without a stamp is earliest.
  static func isLater(_ line: [UInt8], than other: [UInt8]) -> Bool {
    guard let time = changeTime(ofLine: line) else { return false }
    return changeTime(ofLine: other)?.precedes(time) ?? true
  }
}
