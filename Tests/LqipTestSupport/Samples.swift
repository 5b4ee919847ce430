#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

import PlaceholdersTestSupport

package import LqipFiles
internal import LqipOptions
package import LqipRecords
package import PlaceholderEncoding

/// Records to write and read.
package enum Samples {
  /// Names that try the rules of every format.
  package static let paths: [[UInt8]] =
    [
      "a/b.png", "a b.png", "a,b.png", "\"a\".png", "a\nb.png", "a\r\n\"b\",c\r\n.png", "é🙂.png",
      "\\u0041.png", "base64:YQ==", "base64:", "\u{FFFD}.png", "{\"path\":\"x\"}", "\u{7F}\u{1}\t",
      "\u{2028}", "=1+1.png", " a ",
    ].map { Array($0.utf8) } + [[0xFF], [0x61, 0xFE, 0x2C, 0x22, 0x0A], [0x62, 0xED, 0xA0, 0x80]]

  package static let modified = Timestamp(timespec(tv_sec: 1_000_000_000, tv_nsec: 7))
  package static let encoder = "1 lqip=six"

  /// The record of a PNG of 3x2 pixels and 73 bytes.
  package static func image(
    _ path: [UInt8], stamped: Bool = false, digest: Bool = false,
    kinds: Set<PlaceholderKind> = PlaceholderEncoder.defaultKinds
  ) -> PlaceholderRecord {
    var encoder = FileEncoder(PlaceholderOptions(), LimitOptions(), kinds: kinds)
    encoder.digests = digest
    let png = TemporaryDirectory.png
    var record = encoder.record(of: png.span, at: FilePath(path))
    if stamped { record.stamp = stamp(byteCount: TemporaryDirectory.png.count) }
    return record
  }

  /// The record of a damaged file of 5 bytes.
  package static func failure(_ path: [UInt8], stamped: Bool = false) -> PlaceholderRecord {
    let failure = RecordFailure(.corrupt, "line 1,\n\"line 2\"")
    var record = PlaceholderRecord(path: FilePath(path), outcome: .failed(failure))
    if stamped { record.stamp = stamp(byteCount: 5) }
    return record
  }

  package static func stamp(byteCount: Int) -> RecordStamp {
    RecordStamp(byteCount: byteCount, modified: modified, encoder: encoder)
  }

  /// A whole output.
  package static func output(_ records: [PlaceholderRecord], _ layout: RecordLayout) -> [UInt8] {
    var writer = RecordWriter(layout, pathsMayRepeat: false)
    let entries = records.flatMap { writer.bytes(entry: layout.entry(for: $0)) }
    return writer.opening + entries + writer.closing
  }

  /// The text with one byte changed, added or removed, in every place.
  package static func mutations(of text: [UInt8]) -> [[UInt8]] {
    let spice = Array("\"\\,:{}[]\r\n0u".utf8) + [0xFF, 0xC3]
    return text.indices.flatMap { place in
      let head = text[..<place]
      let tail = text[(place + 1)...]
      let flipped = (0..<8).map { text[place] ^ 1 << UInt8($0) }
      return (spice + flipped).map { head + [$0] + tail }
        + spice.map { head + [$0] + text[place...] } + [head + tail]
    }.map { Array($0) }
  }
}
