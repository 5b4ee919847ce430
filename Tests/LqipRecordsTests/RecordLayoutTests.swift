import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords
@testable import Placeholders

@Suite struct RecordLayoutTests {
  private static let path = Array("a".utf8)

  private func names(_ layout: RecordLayout, _ record: PlaceholderRecord) -> [String] {
    guard case .object(let members) = layout.json(of: record) else { return [] }
    return members.map(\.name)
  }

  @Test func `fields choose members and their order`() {
    let layout = RecordLayout(.ndjson, fields: ["lqip", "blurhash", "path"])
    #expect(names(layout, Samples.image(Self.path)) == ["lqip", "blurhash", "path"])
    #expect(names(layout, Samples.image([0xFF])) == ["lqip", "blurhash", "path", "path_base64"])
    #expect(names(layout, Samples.failure(Self.path)) == ["path", "error"])
  }

  @Test func `stamps are there whatever the fields`() {
    let layout = RecordLayout(
      .ndjson, profile: .mastodon, fields: ["blurhash"], stamps: true, digests: true)
    let image = Samples.image(Self.path, stamped: true, digest: true)
    #expect(
      names(layout, image) == ["path", "blurhash", "bytes", "sha256", "modified", "encoder"])
    let failure = Samples.failure(Self.path, stamped: true)
    #expect(names(layout, failure) == ["path", "bytes", "modified", "encoder", "error"])
  }

  @Test func `a plain record has its size once`() {
    let layout = RecordLayout(.ndjson, stamps: true)
    let names = names(layout, Samples.image(Self.path, stamped: true))
    #expect(names.filter { $0 == "bytes" }.count == 1)
    #expect(names.suffix(3) == ["warnings", "modified", "encoder"])
  }

  @Test func `digests are needed where they are shown`() {
    #expect(!RecordLayout(.csv).needsDigest)
    #expect(RecordLayout(.csv, digests: true).needsDigest)
    #expect(RecordLayout(.csv, fields: ["sha256"]).needsDigest)
    #expect(RecordLayout(.csv, profile: .nostr).needsDigest)
    #expect(!RecordLayout(.csv, profile: .nostr, fields: ["dim"]).needsDigest)
  }

  @Test func `settings tell layouts apart`() {
    #expect(RecordLayout(.json, stamps: true).settings == [])
    let layout = RecordLayout(
      .json, profile: .matrix, fields: ["w", "h"], stamps: true, digests: true)
    #expect(layout.settings == ["profile=matrix", "fields=w,h", "sha256"])
  }

  @Test func `a table has the documented columns`() {
    #expect(
      RecordLayout(.csv, stamps: true, digests: true).form.columns.joined(separator: ",") == """
        path,path_base64,mimetype,bytes,width,height,orientation,has_alpha,opaque,animated,\
        frame_count,blurhash,components,lqip,lqip2,average_color,warnings,sha256,modified,encoder,\
        error.code,error.message
        """)
    #expect(
      RecordLayout(.csv, profile: .mastodon).form.columns.joined(separator: ",") == """
        path,path_base64,blurhash,meta.original.width,meta.original.height,meta.original.size,\
        meta.original.aspect,error.code,error.message
        """)
  }

  @Test(arguments: RecordProfile.allCases)
  func `a table's cells are the object's values`(profile: RecordProfile) throws {
    let table = RecordLayout(.csv, profile: profile, stamps: true, digests: true)
    let lines = RecordLayout(.ndjson, profile: profile, stamps: true, digests: true)
    let records = Samples.paths.flatMap {
      [Samples.image($0, stamped: true, digest: true), Samples.failure($0, stamped: true)]
    }
    let rows = try StrictCSV.records(Samples.output(records, table))
    #expect(rows.count == records.count + 1)
    let columns = rows[0].map { String(decoding: $0, as: UTF8.self) }
    for (record, row) in zip(records, rows.dropFirst()) {
      let object = try JSONSerialization.jsonObject(with: Data(lines.entry(for: record)))
      // That reader does not tell truth values from numbers.
      let numbers = ["false": "0", "true": "1"]
      let cells = row.map { String(decoding: $0, as: UTF8.self) }.map { numbers[$0] ?? $0 }
      for (column, cell) in zip(columns, cells) {
        let value = (object as? NSDictionary)?.value(atColumn: column)
        #expect(cell.unicodeScalars.elementsEqual(text(of: value).unicodeScalars))
      }
    }
  }

  private func text(of value: Any?) -> String {
    switch value {
    case let text as String: text
    case let list as [Any]: "[\(list.map { "\($0)" }.joined(separator: ","))]"
    case let number as NSNumber: "\(number)"
    default: ""
    }
  }

  @Test func `paths are the keys of an object`() throws {
    let layout = RecordLayout(.json, stamps: true)
    let output = Samples.output(Samples.paths.map { Samples.image($0, stamped: true) }, layout)
    let read = try JSONSerialization.jsonObject(with: Data(output)) as? [String: [String: Any]]
    let object = try #require(read)
    #expect(object.count == Samples.paths.count)
    for path in Samples.paths {
      let value = try #require(object[RecordPath(FilePath(path)).key])
      #expect(value["path"] == nil)
      #expect(value["width"] as? Int == 3)
      #expect(value["path_base64"] as? String == RecordPath(FilePath(path)).base64)
    }
  }
}

extension NSDictionary {
  /// The value of a column, whose name leads through nested objects.
  fileprivate func value(atColumn column: String) -> Any? {
    if let value = self[column] { return value }
    guard let dot = column.firstIndex(of: ".") else { return nil }
    let rest = String(column[column.index(after: dot)...])
    return (self[String(column[..<dot])] as? NSDictionary)?.value(atColumn: rest)
  }
}
