import Foundation
import LqipTestSupport
import PlaceholdersTestSupport
import Testing

@testable import LqipFiles
@testable import LqipRecords

@Suite struct RecordReaderTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static let records = Samples.paths.flatMap {
    [Samples.image($0, stamped: true), Samples.failure($0, stamped: true)]
  }

  /// What a reader finds in a file: the text and the path of each entry, and the lines of the rest.
  private func read(
    _ file: [UInt8]
  ) throws -> (entries: [(text: [UInt8], path: FilePath)], rejected: [Int]) {
    let path = try directory.write("out", file)
    let descriptor = try FileDescriptor(opening: FilePath(path), O_RDONLY)
    var reader = try RecordReader(descriptor.number)
    var entries: [(text: [UInt8], path: FilePath)] = []
    var rejected: [Int] = []
    while let piece = try reader.next() {
      switch piece {
      case .entry(let entry):
        let text = try FileDescriptor.read(
          descriptor.number, at: entry.offset, upTo: entry.byteCount)
        entries.append((text, entry.path))
      case .rejected(let line, _): rejected.append(line)
      }
    }
    return (entries, rejected)
  }

  @Test(arguments: RecordFormat.allCases)
  func `the entries of an output are found as they were written`(format: RecordFormat) throws {
    let layout = RecordLayout(format, stamps: true)
    let entries = try read(Samples.output(Self.records, layout)).entries
    #expect(entries.map(\.text) == Self.records.map { layout.entry(for: $0) })
    #expect(entries.map(\.path) == Self.records.map(\.path))
  }

  @Test(arguments: RecordFormat.allCases)
  func `a large output is read through its window`(format: RecordFormat) throws {
    let layout = RecordLayout(format, stamps: true)
    let records = (1...1000).map { index in
      Samples.image(Array(String(repeating: "\(index)/", count: index).utf8), stamped: true)
    }
    let entries = try read(Samples.output(records, layout)).entries
    #expect(entries.map(\.path) == records.map(\.path))
  }

  @Test(arguments: RecordFormat.allCases)
  func `an output that ends anywhere gives what is whole of it`(format: RecordFormat) throws {
    let layout = RecordLayout(format, stamps: true)
    let texts = Self.records.suffix(6).map { layout.entry(for: $0) }
    let output = Samples.output(Array(Self.records.suffix(6)), layout)
    var count = 0
    for length in output.indices {
      let entries = try read(Array(output[..<length])).entries
      #expect(entries.map(\.text) == Array(texts.prefix(entries.count)))
      #expect(entries.count >= count)
      count = entries.count
    }
    #expect(count == (format == .csv ? 5 : 6))
  }

  @Test(arguments: [RecordFormat.ndjson, .json])
  func `what jq makes of an output has the same records`(format: RecordFormat) throws {
    let layout = RecordLayout(format, stamps: true)
    let output = String(decoding: Samples.output(Self.records, layout), as: UTF8.self)
    let values =
      format == .json
      ? [output.filter { $0 != "\n" }] : output.split(separator: "\n").map(String.init)
    let read = try read(Array(values.map { Self.indented($0) + "\n" }.joined().utf8))
    #expect(read.rejected == [])
    #expect(read.entries.map(\.path) == Self.records.map(\.path))
    let form = RecordForm(format)
    let plain = RecordLayout(.ndjson, stamps: true)
    for entry in read.entries where format == .ndjson {
      let records = Self.records.filter { $0.path == entry.path }.map { plain.entry(for: $0) }
      #expect(records.contains(try #require(RecordEntry(entry.text, form, in: plain)).bytes))
    }
  }

  @Test(arguments: RecordFormat.allCases)
  func `other ends of lines make no difference`(format: RecordFormat) throws {
    let layout = RecordLayout(format, stamps: true)
    let records = Self.records.filter { !$0.path.bytes.contains(0x0A) && $0.failure == nil }
    let output = Samples.output(records, layout)
    let isCSV = format == .csv
    let other = String(decoding: output, as: UTF8.self).replacing(
      isCSV ? "\r\n" : "\n", with: isCSV ? "\n" : "\r\n")
    let read = try read(Array(other.utf8))
    #expect(read.rejected == [])
    #expect(read.entries.map(\.text) == records.map { layout.entry(for: $0) })
  }

  @Test func `lines that are no records are told by their numbers`() throws {
    let layout = RecordLayout(.ndjson)
    let line = String(
      decoding: Samples.output([Samples.image([0x61])], layout), as: UTF8.self)
    let long = String(repeating: "x", count: 3 << 20)
    let read = try read(
      Array("\(line)nonsense\n\(line)\n{\n\(line){\"path\":1}\n\(long)\n\(line)torn".utf8))
    #expect(read.entries.count == 4)
    #expect(read.rejected == [2, 5, 7, 8, 10])
  }

  @Test(arguments: [
    "", "hello\n", "a,b\n1,2\n", "[]\n", "\u{89}PNG", "{\"name\":\"x\"}\n",
    "{\n\"a\":{\"b\":1}\n}\n",
  ])
  func `what this program does not write is no output`(text: String) throws {
    let path = try directory.write("out", Array(text.utf8))
    let file = try FileDescriptor(opening: FilePath(path), O_RDONLY)
    #expect(!RecordForm.isOutput(file.number))
  }

  @Test(arguments: RecordFormat.allCases, RecordProfile.allCases)
  func `what this program writes is an output`(format: RecordFormat, profile: RecordProfile) throws
  {
    for records in [Self.records, Array(Self.records.suffix(1))] {
      let layout = RecordLayout(format, profile: profile)
      let path = try directory.write("out", Samples.output(records, layout))
      let file = try FileDescriptor(opening: FilePath(path), O_RDONLY)
      #expect(RecordForm.isOutput(file.number))
    }
  }

  @Test(arguments: RecordFormat.allCases)
  func `damage costs no more than the entries that it touches, or the rest of a table`(
    format: RecordFormat
  ) throws {
    let layout = RecordLayout(format, stamps: true)
    let records = (0..<4).map { Samples.image([UInt8(ascii: "a") + $0], stamped: true) }
    let texts = records.map { layout.entry(for: $0) }
    let output = Samples.output(records, layout)
    for offset in layout.opening.count..<output.count {
      for byte in "\"\n".utf8 where output[offset] != byte {
        var damaged = output
        damaged[offset] = byte
        let found = try read(damaged).entries.filter { texts.contains($0.text) }
        #expect(found.count >= 2 || format == .csv)
        #expect(found.map(\.text) == texts.filter { text in found.contains { $0.text == text } })
      }
    }
  }

  /// JSON as `jq .` prints it.
  private static func indented(_ text: String) -> String {
    var result = ""
    var depth = 0
    var (isQuoted, isEscaped) = (false, false)
    for character in text {
      let end =
        "\n"
        + String(
          repeating: "  ",
          count: max(0, depth + ("{[".contains(character) ? 1 : "}]".contains(character) ? -1 : 0)))
      if isQuoted || !"{}[],:".contains(character) {
        result.append(character)
      } else if "{[".contains(character) {
        depth += 1
        result += "\(character)\(end)"
      } else if "}]".contains(character) {
        depth -= 1
        let last = result.last { $0 != " " && $0 != "\n" }
        if last == "{" || last == "[" {
          while result.last == " " || result.last == "\n" { result.removeLast() }
          result.append(character)
        } else {
          result += "\(end)\(character)"
        }
      } else {
        result += character == "," ? ",\(end)" : ": "
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && character == "\\" && !isEscaped
    }
    return result
  }
}
