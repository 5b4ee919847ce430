package import LqipSystem

/// What a record was made from: size, modification and change time of the file, and the settings.
///
/// A later run reuses the record if its line ends in the bytes of the same stamp. The times are seconds
/// since 1970 with nine decimals.
package struct RecordStamp: Hashable, Sendable {
  /// How soon after a change another one may leave the same change time.
  ///
  /// Linux stamps files by a clock that ticks every 10 ms at most, FAT and older protocols every 2 s.
  private static let tick = (fine: 20_000_000, coarse: 2_000_000_000)
  private static let opening = Array(#","stamp":""#.utf8)
  private static let closing = Array(#""}"#.utf8)

  package let text: String

  /// Stamps a file that is about to be read.
  ///
  /// A file that was changed within a tick of the clock is stamped so that no later run trusts the
  /// record: the file may change again without another time.
  ///
  /// - Parameters:
  ///   - status: The file when it was opened.
  ///   - settings: The settings; words without quotes.
  ///   - now: The time at which it was opened.
  package init(_ status: FileStatus, settings: String, at now: Timestamp) {
    let changed = status.changed
    let age =
      (now.seconds - changed.seconds) * 1_000_000_000 + now.nanoseconds - changed.nanoseconds
    let isRacy = age < (changed.nanoseconds == 0 ? Self.tick.coarse : Self.tick.fine)
    var bytes: [UInt8] = []
    Self.write(status, to: &bytes)
    text = String(decoding: bytes, as: UTF8.self) + (isRacy ? "racy " : "") + settings
  }

  /// The bytes in which the line of an unchanged file's record ends.
  package static func lineEnd(of status: FileStatus, settings: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    bytes += opening
    write(status, to: &bytes)
    bytes += settings
    bytes += closing
    return bytes
  }

  private static func write(_ status: FileStatus, to bytes: inout [UInt8]) {
    write(status.byteCount, to: &bytes)
    for time in [status.modified, status.changed] {
      bytes.append(UInt8(ascii: " "))
      write(time.seconds, to: &bytes)
      bytes.append(UInt8(ascii: "."))
      write(time.nanoseconds, digitCount: 9, to: &bytes)
    }
    bytes.append(UInt8(ascii: " "))
  }

  private static func write(_ number: Int, digitCount: Int = 1, to bytes: inout [UInt8]) {
    guard number >= 0 else { return bytes += String(number).utf8 }
    let start = bytes.count
    var rest = number
    while rest > 0 || bytes.count - start < digitCount {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    bytes[start...].reverse()
  }

  /// When the file of a record was changed last; `nil` without a stamp.
  package static func changeTime(ofLine line: some BidirectionalCollection<UInt8>) -> Timestamp? {
    guard let mark = Array(line).suffix(512).firstRange(of: opening) else { return nil }
    let words = Array(line).suffix(512)[mark.upperBound...].split(separator: UInt8(ascii: " "))
    guard words.count > 2 else { return nil }
    let parts = words[2].split(separator: UInt8(ascii: ".")).map {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard parts.count == 2, let seconds = parts[0], let nanoseconds = parts[1] else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }
}
