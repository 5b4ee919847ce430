import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem

/// A directory with unusual names, links and special files.
@Suite struct HostileDirectoryTests {
  private let directory: TemporaryDirectory
  /// The files to encode and whether they are valid images, in byte order.
  private let files: [(path: [UInt8], isGood: Bool)]

  init() throws {
    let directory = TemporaryDirectory()
    self.directory = directory
    var names: [(name: [UInt8], isGood: Bool)] = []
    for index in 0..<200 {
      let isGood = !index.isMultiple(of: 50)
      try directory.write(
        "many/\(index).jpg", isGood ? TemporaryDirectory.png : [0xFF, 0xD8, 0xFF])
      names.append((Array("many/\(index).jpg".utf8), isGood))
    }
    let odd = [
      "-", "-o", "a\nb", "\r\n", "\"", "'a' \"b\"", ",", "a,b;c\t", "base64:YQ==", "é", " ", "\\",
      "a\\u0062",
    ]
    let oddNames =
      odd.map { Array($0.utf8) } + [[0xFF], [0x61, 0xC3, 0x28, 0x0A, 0x2C], [0xED, 0xA0]]
    for name in oddNames.map({ $0 + Array(".png".utf8) }) {
      try directory.write(bytes: name)
      names.append((name, true))
    }
    names.append((Array(try directory.makeDeepImage().utf8), true))
    try directory.write("sparse.png")
    _ = try SystemError.check { unsafe truncate(directory.file("sparse.png"), 5 << 30) }
    names.append((Array("sparse.png".utf8), false))
    try #require(unsafe mkfifo(directory.file("fifo.png"), 0o600) == 0)
    try #require(unsafe mknod(directory.file("socket.png"), S_IFSOCK | 0o600, 0) == 0)
    let links = [
      "null.png": "/dev/null", "zero.png": "/dev/zero", "loop": ".", "parent": "..",
      "itself.png": "itself.png", "one.png": "other.png", "other.png": "one.png",
      "dangling.png": "none", "many/up": "../many", "file.png": "many/1.jpg",
    ]
    for (name, target) in links { try directory.link(name, to: target) }
    let start = Array("\(directory.path)/".utf8)
    files = names.map { (start + $0.name, $0.isGood) }
      .sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// Returns the exact paths and the error codes in an output, as parsed independently.
  private func records(
    _ output: [UInt8], _ format: RecordFormat
  ) throws -> [(path: [UInt8], code: String?)] {
    switch format {
    case .ndjson:
      return try output.split(separator: 0x0A).map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        let path = object?["path"] as? String
        let exact = (object?["path_base64"] as? String).flatMap { Data(base64Encoded: $0) }
        return (exact.map(Array.init) ?? Array((path ?? "").utf8), Self.code(of: object))
      }
    case .json:
      let object = try JSONSerialization.jsonObject(with: Data(output)) as? [String: [String: Any]]
      let records = try #require(object).map { key, record in
        let exact = key.hasPrefix("base64:") ? Data(base64Encoded: String(key.dropFirst(7))) : nil
        return (path: exact.map(Array.init) ?? Array(key.utf8), code: Self.code(of: record))
      }
      return records.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    case .csv:
      let rows = try StrictCSV.records(output)
      let columns = try #require(rows.first).map { String(decoding: $0, as: UTF8.self) }
      return try rows.dropFirst().map { row in
        try #require(row.count == columns.count)
        let cells = Dictionary(uniqueKeysWithValues: zip(columns, row))
        let exact = Data(base64Encoded: Data(cells["path_base64"] ?? [])).map { Array($0) } ?? []
        let code = String(decoding: cells["error.code"] ?? [], as: UTF8.self)
        return (exact.isEmpty ? cells["path"] ?? [] : exact, code.isEmpty ? nil : code)
      }
    }
  }

  private static func code(of record: [String: Any]?) -> String? {
    (record?["error"] as? [String: Any])?["code"] as? String
  }

  private func check(_ records: [(path: [UInt8], code: String?)]) {
    #expect(records.map(\.path) == files.map(\.path))
    for (record, file) in zip(records, files) {
      #expect((record.code == nil) == file.isGood)
      #expect((record.code == "too_large") == file.path.suffix(10).elementsEqual("sparse.png".utf8))
    }
  }

  @Test(arguments: RecordFormat.allCases)
  func `every image has one record in valid syntax`(format: RecordFormat) throws {
    let scratch = TemporaryDirectory()
    let output = scratch.file("out.\(format)")
    let run = try Program("encode", "--jobs=3", "-o", output, directory.path)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("lqip: 213 encoded, 5 failed (4 "))
    check(try records(Array(scratch.text(of: "out.\(format)").utf8), format))
  }

  @Test func `a NUL-terminated list produces one record for each path, in list order`() throws {
    let list = files.filter { String(validating: $0.path, as: UTF8.self) != nil }
    let input = list.map { String(decoding: $0.path, as: UTF8.self) + "\0" }.joined()
    let run = try Program("encode", "-", input: input)
    #expect(run.status == 1)
    #expect(try records(run.output, .ndjson).map(\.path) == list.map(\.path))
  }
}
