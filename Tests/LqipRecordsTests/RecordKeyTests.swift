import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords

@Suite struct RecordKeyTests {
  private func key(_ text: String, _ layout: RecordLayout = RecordLayout(.ndjson)) -> RecordKey? {
    RecordKey(parsing: Array(text.utf8), layout.form)
  }

  @Test(arguments: RecordFormat.allCases, RecordProfile.allCases)
  func `what was stamped is read`(format: RecordFormat, profile: RecordProfile) throws {
    let layout = RecordLayout(format, profile: profile, stamps: true, digests: true)
    for path in Samples.paths {
      let image = Samples.image(path, stamped: true, digest: true)
      let key = try #require(RecordKey(parsing: layout.entry(for: image), layout.form))
      #expect(key.path == FilePath(path))
      #expect(key.byteCount == 73)
      #expect(key.modified == Array("2001-09-09T01:46:40.000000007Z".utf8)[...])
      #expect(key.digest == Array(try #require(image.digest).hex.utf8)[...])
      #expect(key.encoder == Array(Samples.encoder.utf8)[...])
      #expect(key.failure == nil)
      let failure = Samples.failure(path, stamped: true)
      let failureKey = try #require(RecordKey(parsing: layout.entry(for: failure), layout.form))
      #expect(failureKey.path == FilePath(path))
      #expect(failureKey.byteCount == 5)
      #expect(failureKey.digest == nil)
      #expect(failureKey.failure == .corrupt)
    }
  }

  @Test func `members may come in any order, and escaped`() {
    let key = key(#"{"bytes":7,"x":[{"path":"no"}],"path_base64":"Yf8=","path":"a\ufffd"}"#)
    #expect(key?.path == FilePath([0x61, 0xFF]))
    #expect(key?.byteCount == 7)
    #expect(self.key(#"{"path":"\ud83d\ude42\/é"}"#)?.path == FilePath("🙂/é"))
  }

  @Test(arguments: [
    "", "{}", "null", #"["path"]"#, #"{"bytes":1}"#, #"{"path":1}"#, #"{"path":null}"#,
    #"{"path":"a","path":"a"}"#, #"{"path":"a","bytes":"1"}"#, #"{"path":"a","bytes":-1}"#,
    #"{"path":"a","bytes":1.0}"#, #"{"path":"a","bytes":99999999999999999999}"#,
    #"{"path":"a","encoder":1}"#, #"{"path":"a","path_base64":"Yf8"}"#, #"{"path":"a"},"#,
    #"{"path":"a" }"#, #" {"path":"a"}"#, #"{"path":"a","w":1x}"#, #"{"path":"a""#,
  ])
  func `what is no record is refused`(text: String) {
    #expect(key(text) == nil)
  }

  @Test(arguments: [
    (#""a":{"bytes":1}"#, true), (#""a":{"path":"b","bytes":1}"#, true), (#""a":{}"#, true),
    (#""base64:Yf8=":{}"#, true), (#""base64:Yf8":{}"#, false), (#""a": {}"#, false),
    (#""a":1"#, false), (#"a:{}"#, false), (#""a":{},"#, false), (#"{"path":"a"}"#, false),
  ])
  func `a member of an object is read`(text: String, isRead: Bool) {
    #expect((key(text, RecordLayout(.json)) != nil) == isRead)
    #expect(key(text, RecordLayout(.json))?.path != FilePath("b"))
  }

  @Test(arguments: [
    ("a,,,", true), ("a,Yf8=,,", true), ("a,Yf8,,", false), ("a,,", false), ("a,,,,", false),
    (",,,", false), ("\"a,,,", false), ("a\",,,", false), ("a,,corrupt,\"x\ny\"", true),
  ])
  func `a row is read`(text: String, isRead: Bool) {
    #expect((key(text, RecordLayout(.csv, fields: ["path"])) != nil) == isRead)
  }

  private static let texts: [[UInt8]] = [Array("a\u{2028}é".utf8), [0x61, 0xFF]]

  @Test(arguments: texts, [true, false])
  func `a damaged object is refused or read as an independent reader does`(
    path: [UInt8], isFailure: Bool
  ) throws {
    let layout = RecordLayout(.ndjson, profile: .mastodon, stamps: true)
    let record =
      isFailure ? Samples.failure(path, stamped: true) : Samples.image(path, stamped: true)
    var count = 0
    for text in Samples.mutations(of: layout.entry(for: record)) {
      guard let key = RecordKey(parsing: text, layout.form) else { continue }
      count += 1
      let read = try JSONSerialization.jsonObject(with: Data(text))
      let object = try #require(read as? [String: Any])
      func bytes(_ name: String) -> [UInt8]? {
        (object[name] as? String).map { Array($0.utf8) }
      }
      let exact = (object["path_base64"] as? String).map { Data(base64Encoded: $0) }
      #expect(key.path.bytes == exact.map { $0.map(Array.init) } ?? bytes("path"))
      #expect(key.byteCount == object["bytes"] as? Int)
      #expect(key.modified.map(Array.init) == bytes("modified"))
      #expect(key.encoder.map(Array.init) == bytes("encoder"))
      let error = object["error"] as? [String: Any]
      #expect(key.failure?.rawValue == error?["code"] as? String)
    }
    #expect(count > 1000)
  }

  @Test(arguments: texts)
  func `a damaged row is refused or read as an independent reader does`(path: [UInt8]) throws {
    let layout = RecordLayout(.csv, profile: .mastodon, stamps: true)
    var count = 0
    let entries = [Samples.failure(path, stamped: true), Samples.image(path, stamped: true)]
      .map { layout.entry(for: $0) }
    for text in entries.flatMap(Samples.mutations) {
      guard let key = RecordKey(parsing: text, layout.form) else { continue }
      count += 1
      let rows = try StrictCSV.records(text + CSV.lineEnd)
      let row = try #require(rows.first)
      #expect(rows.count == 1)
      #expect(row.count == layout.form.columns.count)
      let cells = Dictionary(uniqueKeysWithValues: zip(layout.form.columns, row))
      let exact = try #require(cells["path_base64"])
      let decoded = Data(base64Encoded: Data(exact)).map { Array($0) }
      #expect(key.path.bytes == (exact.isEmpty ? cells["path"] : decoded))
      #expect(key.byteCount == Int(String(decoding: cells["bytes"] ?? [], as: UTF8.self)))
      #expect(Array(key.modified ?? []) == cells["modified"])
      #expect(Array(key.encoder ?? []) == cells["encoder"])
      #expect(key.failure.map { Array($0.rawValue.utf8) } ?? [] == cells["error.code"])
    }
    #expect(count > 1000)
  }
}
