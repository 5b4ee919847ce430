import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipSystem
@testable import LqipRecords

@Suite struct RecordReaderTests {
  private let directory = TemporaryDirectory()

  private func open(_ text: [UInt8], as name: String = "out") throws -> FileDescriptor {
    try FileDescriptor(opening: FilePath(try directory.write(name, text)), O_RDONLY)
  }

  /// Returns the records before the first error, their lines, and the error.
  private func read(
    _ text: [UInt8]
  ) throws -> (records: [RecordReader.Record], lines: [[UInt8]], error: String?) {
    let file = try open(text)
    var reader = RecordReader(file.number, name: "out")
    var records: [RecordReader.Record] = []
    var lines: [[UInt8]] = []
    do throws(RecordReader.ReadingError) {
      while let record = try reader.next() {
        records.append(record)
        lines.append(reader.text)
      }
    } catch {
      return (records, lines, error.message)
    }
    return (records, lines, nil)
  }

  private static let paths = Samples.paths.sorted { $0.lexicographicallyPrecedes($1) }

  @Test(arguments: [true, false])
  func `records with paths of any bytes round-trip`(isFailure: Bool) throws {
    let layout = RecordLayout(.ndjson)
    let lines = Self.paths.map {
      layout.entry(for: isFailure ? Samples.failure($0) : Samples.image($0))
    }
    let text = lines.flatMap { $0 + "\n".utf8 }
    let read = try read(text)
    #expect(read.error == nil)
    #expect(read.lines == lines)
    #expect(read.records.map(\.path) == Self.paths.map { FilePath($0) })
    #expect(read.records.map { Array(text[$0.bounds]) } == lines.map { $0 + "\n".utf8 })
    #expect(read.records.allSatisfy { $0.failure == (isFailure ? .corrupt : nil) })
  }

  @Test func `the complete records of a truncated output are read`() throws {
    let text = Array("{\"path\":\"a\"}\n{\"path\":\"b\\n\"}\n".utf8)
    for count in text.indices {
      let read = try read(Array(text[..<count]))
      #expect(read.records.count == (count < 13 ? 0 : 1))
      let line = count < 13 ? 1 : 2
      #expect(
        read.error == ([0, 13].contains(count) ? nil : "out, line \(line): truncated record"))
    }
  }

  @Test func `lines that span two reads are joined, and lines above 1 MiB are rejected`() throws {
    func line(_ name: String, _ length: Int) -> [UInt8] {
      let start = #"{"path":"\#(name)","x":""#
      return Array(start.utf8) + [UInt8](repeating: 0x78, count: length - start.utf8.count - 3)
        + "\"}\n".utf8
    }
    for length in (1 << 18) - 20...(1 << 18) + 3 {
      let lines = [line("a", length), line("b", 40), line("c", 1 << 18), line("d", 40)]
      let read = try read(lines.flatMap(\.self))
      #expect(read.error == nil)
      #expect(read.lines.map { $0 + [0x0A] } == lines)
    }
    let long = try read(line("a", 1 << 20) + line("b", (1 << 20) + (1 << 18) + 1))
    #expect(long.records.count == 1)
    #expect(long.error == "out, line 2: not an lqip record")
  }

  @Test(arguments: [
    "", "x", "{}", "[]", #"{"path":1}"#, #"{"path":"a""#, #"{"path": "a"}"#, #"{"bytes":1}"#,
    #"{"path":"a}"#, #"{"path":"\q"}"#, #"{"path":"\u12"}"#, #"{"path":"a\n",}"#,
    #"{"path":"a","path_base64":"Yf8"}"#,
    #" {"path":"a"}"#, #"{"path":"a"} "#,
  ])
  func `a line that is not a record is an error`(line: String) throws {
    for lines in [[line], [line, #"{"path":"z"}"#]] {
      #expect(
        try read(Array(lines.map { $0 + "\n" }.joined().utf8)).error
          == "out, line 1: not an lqip record")
    }
  }

  @Test(arguments: [("b", "a"), ("a", "a"), ("a/", "a"), ("a/b", "a!")])
  func `unsorted records are an error`(first: String, second: String) throws {
    let read = try read(Array("{\"path\":\"\(first)\"}\n{\"path\":\"\(second)\"}\n".utf8))
    #expect(read.records.map(\.path) == [FilePath(first)])
    #expect(read.error == "out, line 2: not sorted by path: '\(second)' follows '\(first)'")
  }

  @Test func `an unreadable file is reported with the system's error`() throws {
    let file = try FileDescriptor(opening: FilePath(directory.file("x")), O_WRONLY | O_CREAT)
    var reader = RecordReader(file.number, name: "out")
    #expect {
      try reader.next()
    } throws: {
      ($0 as? RecordReader.ReadingError)?.message == "out: cannot read: Bad file descriptor"
    }
  }

  private func rest(_ merge: inout RecordMerge) throws -> [String] {
    var lines: [String] = []
    while let record = try merge.next() {
      lines.append(String(decoding: record.text, as: UTF8.self))
      #expect(lines[lines.count - 1].hasPrefix(#"{"path":"\#(record.path)""#))
    }
    return lines
  }

  @Test func `of records with the same path, the latest change wins, or the first record on a tie`()
    throws
  {
    var random = LCG(seed: 5)
    for _ in 0..<100 {
      var merge = RecordMerge()
      var expected: [String: (time: Int, line: String)] = [:]
      var texts: [String] = []
      for source in 0..<3 {
        var text = ""
        for name in ["a", "b", "c", "d", "e"] where Bool.random(using: &random) {
          let time = Int.random(in: -1...2, using: &random)
          let times = "9.000000000 \(time / 2).00000000\(time % 2)"
          let stamp = time < 0 ? "" : #","stamp":"\#(source) \#(times) 1 x""#
          let line = #"{"path":"\#(name)","source":\#(source)\#(stamp)}"#
          text += line + "\n"
          if time > expected[name]?.time ?? -2 { expected[name] = (time, line) }
        }
        texts.append(text)
      }
      let files = try texts.indices.map { try open(Array(texts[$0].utf8), as: "\($0)").release() }
      defer { files.forEach { close($0) } }
      for file in files { try merge.add(file, named: "out") }
      #expect(try rest(&merge) == expected.sorted { $0.key < $1.key }.map(\.value.line))
    }
  }

  @Test(arguments: ["{\"path\":\"c\"", "\0\0\n", "{\"path\":\"a\"}\n"])
  func `an invalid line ends a draft, and is an error in any other output`(bad: String) throws {
    let draft = try open(Array(("{\"path\":\"b\"}\n" + bad).utf8), as: "draft")
    let old = try open(Array("{\"path\":\"a\"}\n{\"path\":\"d\"}\n".utf8), as: "old")
    var merge = RecordMerge()
    try merge.add(draft.number, named: "draft", isDraft: true)
    try merge.add(old.number, named: "old")
    #expect(try rest(&merge) == [#"{"path":"a"}"#, #"{"path":"b"}"#, #"{"path":"d"}"#])
    merge = RecordMerge()
    try merge.add(draft.number, named: "draft")
    #expect {
      try rest(&merge)
    } throws: {
      if case CommandError.input(let text) = $0 { text.hasPrefix("draft, line 2: ") } else { false }
    }
  }
}
