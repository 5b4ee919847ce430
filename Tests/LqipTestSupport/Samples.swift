import LqipOptions
package import LqipRecords
import LqipSystem
package import PlaceholderEncoding
import PlaceholdersTestSupport

/// Sample records for tests of output formats.
package enum Samples {
  /// File names that test the escaping rules of every format.
  package static let paths: [[UInt8]] =
    [
      "a/b.png", "a b.png", "a,b.png", "\"a\".png", "a\nb.png", "a\r\n\"b\",c\r\n.png", "é🙂.png",
      "\\u0041.png", "base64:YQ==", "base64:", "\u{FFFD}.png", "{\"path\":\"x\"}", "\u{7F}\u{1}\t",
      "\u{2028}", "=1+1.png", " a ",
    ].map { Array($0.utf8) } + [[0xFF], [0x61, 0xFE, 0x2C, 0x22, 0x0A], [0x62, 0xED, 0xA0, 0x80]]

  /// Returns the record of a PNG image of 3x2 pixels and 73 bytes.
  package static func image(
    _ path: [UInt8], stamp: RecordStamp? = nil, digest: Bool = false,
    kinds: [PlaceholderKind] = PlaceholderEncoder.Options().kinds
  ) -> PlaceholderRecord {
    var records = RecordOptions()
    records.kinds = kinds
    var encoder = FileEncoder(PlaceholderOptions(), LimitOptions(), records)
    encoder.includesDigest = digest
    let png = TemporaryDirectory.png
    let reply = encoder.task(byteCount: png.count).reply(for: png.span)
    return PlaceholderRecord(path: FilePath(path), outcome: reply, stamp: stamp)
  }

  /// Returns the record of a damaged file.
  package static func failure(_ path: [UInt8], stamp: RecordStamp? = nil) -> PlaceholderRecord {
    let failure = RecordFailure(.corrupt, "line 1,\n\"line 2\"")
    return PlaceholderRecord(path: FilePath(path), outcome: .failed(failure), stamp: stamp)
  }

  /// Returns a complete output with these records.
  package static func output(_ records: [PlaceholderRecord], _ layout: RecordLayout) -> [UInt8] {
    var output = layout.opening
    for (index, record) in records.enumerated() {
      output += layout.element(layout.entry(for: record), isFirst: index == 0)
    }
    return output + layout.closing(isEmpty: records.isEmpty)
  }
}
