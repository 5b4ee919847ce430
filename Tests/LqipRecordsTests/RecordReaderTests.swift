import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipOptions
@testable import LqipRecords
@testable import LqipSystem

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
        lines.append(try reader.text())
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
    for length in (1 << 16) - 20...(1 << 16) + 3 {
      let lines = [line("a", length), line("b", 40), line("c", 1 << 16), line("d", 40)]
      let read = try read(lines.flatMap(\.self))
      #expect(read.error == nil)
      #expect(read.lines.map { $0 + [0x0A] } == lines)
    }
    let long = try read(line("a", 1 << 20) + line("b", (1 << 20) + (1 << 16) + 1))
    #expect(long.records.count == 1)
    #expect(long.error == "out, line 2: not an lqip record")
  }

  @Test(arguments: [
    "", "x", "{}", "[]", #"{"path":1}"#, #"{"path":"a""#, #"{"path": "a""#, #"{"bytes":1}"#,
    #"{"path":"a}"#, #"{"path":"\q"}"#, #"{"path":"\u12"}"#, #"{"path":"a\n",}"#,
    #"{"path":"a","path_base64":"Yf8"}"#, #"{"path":"a",}"#, #"{"path":null}"#,
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

  @Test(arguments: [
    #"{"path": "a", "mimetype": "image/png"}"#, #" {"mimetype":"image/png","path":"a"} "#,
    #"{"path":"a","mimetype":"image\/png","error":null}"#,
    #"{"error":null,"path":"\u0061","mimetype":"image/png"}"#,
  ])
  func `a record that another program has written is read as this program writes it`(
    line: String
  ) throws {
    let read = try read(Array(line.utf8) + [0x0A])
    #expect(read.records.map(\.path) == [FilePath("a")])
    #expect(read.lines == [Array(#"{"path":"a","mimetype":"image/png"}"#.utf8)])
  }

  @Test func `members of a foreign record are reordered, and whole numbers lose their fraction`()
    throws
  {
    let read = try read(
      Array(
        (##"{"width":640.0,"components":[4.0,3.0],"stamp":"7 1.000000000 2.000000000 13 lqip","##
          + ##""palette":[{"color":"#000000","share":1}],"custom":[null,"x y"],"path":"a","##
          + ##""bytes":7}"##).utf8) + [0x0A])
    #expect(read.error == nil)
    #expect(
      read.lines.map { String(decoding: $0, as: UTF8.self) } == [
        ##"{"path":"a","bytes":7,"width":640,"components":[4,3],"##
          + ##""palette":[{"color":"#000000","share":1.0}],"custom":[null,"x y"],"##
          + ##""stamp":"7 1.000000000 2.000000000 13 lqip"}"##
      ])
  }

  @Test func `a share that another program has written as an integer has a fraction`() throws {
    for share in ["1", "1.0"] {
      let line =
        ##"{"path":"a","mimetype":"image/png","palette":[{"color":"#000000","share":\##(share)}]}"##
      let read = try read(Array(line.utf8) + [0x0A])
      #expect(read.lines == [Array(line.replacing(":1}", with: ":1.0}").utf8)])
    }
  }

  @Test(arguments: 0..<32)
  func `a control character anywhere in a record is damage`(byte: UInt8) throws {
    let record = RecordLayout(.ndjson).entry(for: Samples.image([0x62]))
    let next = Array("\n{\"path\":\"c\"}\n".utf8)
    for index in record.indices where byte != 0x0A {
      var text = Array("{\"path\":\"a\"}\n".utf8) + record + next
      text[13 + index] = byte
      #expect(
        try read(text).error
          == "out, line 2: damaged: not an lqip record, contains control characters")
      let file = try open(text)
      var reader = RecordReader(file.number, name: "out", damage: .isSkipped)
      var paths: [FilePath] = []
      while let record = try reader.next() { paths.append(record.path) }
      #expect(paths == [FilePath("a"), FilePath("c")])
    }
  }
}
