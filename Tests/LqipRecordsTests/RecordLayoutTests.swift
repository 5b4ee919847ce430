import Foundation
import LqipTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem
@testable import PlaceholderEncoding

@Suite struct RecordLayoutTests {
  private static let path = Array("a".utf8)
  private static let allKinds = PlaceholderKind.allCases
  private static let hash = "Lq5?}kpKfQpKt:o$fQo$fQfQfQfQ"
  private static let digest = "85def5c1054e796f882ec352789388b9142a149287cf69838319e840921b3250"

  private func text(_ layout: RecordLayout, _ record: PlaceholderRecord) -> String {
    String(decoding: layout.entry(for: record), as: UTF8.self)
  }

  private func columns(_ layout: RecordLayout) -> String {
    String(decoding: layout.opening, as: UTF8.self).replacing("\r\n", with: "")
  }

  private func stamp() throws -> RecordStamp {
    RecordStamp(
      try FileStatus(of: FilePath("/"), followsLinks: true), settings: "1",
      at: Timestamp(seconds: 9_999_999_999, nanoseconds: 0))
  }

  @Test(arguments: [
    (
      RecordProfile.mastodon,
      #""blurhash":"\#(hash)","meta":{"original":{"width":3,"height":2,"size":"3x2","aspect":1.5}}"#
    ),
    (.matrix, #""w":3,"h":2,"mimetype":"image/png","size":73,"xyz.amorgan.blurhash":"\#(hash)""#),
    (.activitypub, #""mediaType":"image/png","width":3,"height":2,"blurhash":"\#(hash)""#),
    (.nostr, #""m":"image/png","dim":"3x2","blurhash":"\#(hash)","x":"\#(digest)""#),
  ])
  func `a record has the members that its consumer expects, or the error of a failed image`(
    profile: RecordProfile, expected: String
  ) throws {
    let layout = RecordLayout(.ndjson, profile: profile)
    let record = Samples.image(Self.path, stamp: try stamp(), digest: profile == .nostr)
    #expect(text(layout, record) == #"{"path":"a",\#(expected)}"#)
    let more = RecordLayout(.ndjson, profile: profile, kinds: [.blurHash, .css])
    let image = Samples.image(Self.path, digest: profile == .nostr, kinds: [.blurHash, .css])
    #expect(text(more, image).hasPrefix(#"{"path":"a",\#(expected),"css":"#))
    #expect(
      text(layout, Samples.failure(Self.path))
        == #"{"path":"a","error":{"code":"corrupt","message":"line 1,\n\"line 2\""}}"#)
  }

  @Test(arguments: RecordFormat.allCases, RecordProfile.allCases)
  func `a parsed plain record can be converted to every layout`(
    format: RecordFormat, profile: RecordProfile
  ) throws {
    for kinds in [Self.allKinds, [.blurHash], [.svg, .thumbHash]] {
      for path in Samples.paths {
        for record in [
          Samples.image(path, stamp: try stamp(), digest: true, kinds: kinds),
          Samples.failure(path, stamp: try stamp()),
        ] {
          let plain = RecordLayout(.ndjson, kinds: Self.allKinds).entry(for: record)
          guard case .object(let members) = try JSON(parsing: plain) else {
            Issue.record("not a JSON object")
            return
          }
          let layout = RecordLayout(format, profile: profile, kinds: kinds)
          let entry = layout.entry(
            of: members, at: try #require(RecordPath.path(in: .object(members))),
            digest: record.digest)
          #expect(entry == layout.entry(for: record))
        }
      }
    }
  }

  @Test func `record members appear in the documented order`() throws {
    let layout = RecordLayout(.ndjson, kinds: Self.allKinds)
    let record = text(layout, Samples.image(Self.path, stamp: try stamp(), kinds: Self.allKinds))
    let expected =
      #/
      {"path":"a","mimetype":"image/png","bytes":73,"width":3,"height":2,"orientation":1,
      "has_alpha":false,"opaque":true,"animated":false,"blurhash":"[^"]+","components":\[4,3\],
      "lqip":"\#[0-9a-f]{8}","thumbhash":"[^"]+","tiny":"[^"]+","preview":"data:image/webp;base64,[^"]+",
      "svg":"data:image/svg\+xml,%3Csvg[^"]+","css":-?[0-9]+,
      "palette":\[{"color":"\#336699","share":1.0}\],"average_color":"\#336699","complete":true,"warnings":\[\],
      "stamp":"[^"]+"}
      /#
    #expect(record.wholeMatch(of: expected) != nil, "\(record)")
    for (kind, other) in [("preview", "svg"), ("svg", "preview")] {
      let one = RecordLayout(.ndjson, kinds: [try #require(PlaceholderKind(rawValue: kind))])
      let text = text(one, Samples.image(Self.path, kinds: one.kinds))
      #expect(text.contains("\"\(kind)\":") && !text.contains("\"\(other)\":"))
    }
  }

  @Test func `a CSV table has the documented columns`() {
    #expect(
      columns(RecordLayout(.csv)) == """
        path,path_base64,mimetype,bytes,width,height,orientation,has_alpha,opaque,animated,\
        frame_count,blurhash,components,lqip,lqip2,average_color,complete,warnings,error.code,error.message
        """)
    #expect(
      columns(RecordLayout(.csv, profile: .mastodon)) == """
        path,path_base64,blurhash,meta.original.width,meta.original.height,meta.original.size,\
        meta.original.aspect,error.code,error.message
        """)
    #expect(
      columns(RecordLayout(.csv, profile: .matrix, kinds: [.thumbHash]))
        == "path,path_base64,w,h,mimetype,size,thumbhash,error.code,error.message")
  }

  @Test(arguments: RecordProfile.allCases)
  func `CSV cells match the members of the JSON record`(profile: RecordProfile) throws {
    let kinds: [PlaceholderKind] = [.blurHash, .lqip, .palette]
    let table = RecordLayout(.csv, profile: profile, kinds: kinds)
    let lines = RecordLayout(.ndjson, profile: profile, kinds: kinds)
    let records = Samples.paths.flatMap {
      [Samples.image($0, digest: true, kinds: kinds), Samples.failure($0)]
    }
    let rows = try StrictCSV.records(Samples.output(records, table))
    #expect(rows.count == records.count + 1)
    let columns = rows[0].map { String(decoding: $0, as: UTF8.self) }
    for (record, row) in zip(records, rows.dropFirst()) {
      let object = try JSONSerialization.jsonObject(with: Data(lines.entry(for: record)))
      for (column, cell) in zip(columns, row) {
        let value = (object as? NSDictionary)?.value(atColumn: column)
        #expect(try parsed(cell, like: value) == value as? NSObject)
      }
    }
  }

  /// Converts a cell to the type of the member's value.
  private func parsed(_ cell: [UInt8], like value: Any?) throws -> NSObject? {
    guard value != nil || !cell.isEmpty else { return nil }
    if value is String { return String(decoding: cell, as: UTF8.self) as NSString }
    return try JSONSerialization.jsonObject(with: Data(cell), options: .fragmentsAllowed)
      as? NSObject
  }

  @Test func `CSV cells are quoted only if necessary, and a strict parser reads them back`() throws
  {
    func row(_ cells: String...) -> String {
      String(decoding: CSV.row(cells.map { Array($0.utf8) }), as: UTF8.self)
    }
    #expect(row("a", "", " b ", "=1") == "a,, b ,=1")
    #expect(
      row("a,b", "\"c\"", "d\ne", "f\r", "\"")
        == "\"a,b\",\"\"\"c\"\"\",\"d\ne\",\"f\r\",\"\"\"\"")
    let alphabet = Array("a,\"\r\n".utf8)
    let cells = (0..<3125).map { number in
      [1, 5, 25, 125, 625].map { alphabet[number / $0 % 5] }
    }
    let rows = stride(from: 0, to: cells.count, by: 25).map { Array(cells[$0..<($0 + 25)]) }
    #expect(try StrictCSV.records(rows.flatMap { CSV.row($0) + CSV.lineEnd }) == rows)
  }
}

@Suite struct RecordOptionsTests {
  @Test(
    arguments: [
      ("a.ndjson", RecordFormat.ndjson), ("a.jsonl", .ndjson), ("d.csv/a.json", .json),
      ("a.JSON", .json), ("a.json.csv", .csv), ("csv", .ndjson), ("d.csv/a", .ndjson),
      ("a.", .ndjson), ("", .ndjson), (nil, .ndjson),
    ] as [(String?, RecordFormat)])
  func `the extension determines the format, and only plain NDJSON is updatable`(
    path: String?, format: RecordFormat
  ) {
    var options = RecordOptions()
    options.output.path = path.map { FilePath($0) }
    #expect(options.layout == RecordLayout(format))
    #expect(options.isUpdatable == (format == .ndjson && path != nil))
    options.profile = .matrix
    #expect(options.layout == RecordLayout(format, profile: .matrix, kinds: [.blurHash]))
    #expect(!options.isUpdatable)
    options.profile = .plain
    options.text = .css
    #expect(options.layout == RecordLayout(.ndjson, kinds: [.css], text: .css))
    #expect(!options.isUpdatable)
  }
}

extension NSDictionary {
  /// Returns the value of a column; dots in its name separate the members of nested objects.
  fileprivate func value(atColumn column: String) -> Any? {
    if let value = self[column] { return value }
    guard let dot = column.firstIndex(of: ".") else { return nil }
    let rest = String(column[column.index(after: dot)...])
    return (self[String(column[..<dot])] as? NSDictionary)?.value(atColumn: rest)
  }
}
